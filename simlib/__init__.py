"""simlib: what an LLM agent reads, pays and achieves, without an API key.

Floor by floor, each room knows only the ones before it:

    simlib.errors      what can be wrong with an argument
    simlib.theory      growth, budget, spread, fit; reliability, simulation, horizon; intervals
    simlib.sweep       one function over many points, on any executor
    simlib.prompt      a request as a value: blocks, markers, the API's rules
    simlib.billing     token classes, dated prices, prompt caches, what a run will cost
    simlib.tokens      how many tokens a text has, about
    simlib.agent       the loop: tools, guards, approval, ledger, transcript
    simlib.models      who stands in for a model, behind the API's shape
    simlib.worlds      where agents work: files, texts, tasks, scripts
    simlib.articles    the three articles' facts and inputs, and `reproduce`
"""

__version__ = "0.1.0"
