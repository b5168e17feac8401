"""A play in Jupyter: the picture, what the player may read, and the buttons with which he decides."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from simlib.lab.html import CSS, moving_picture, plain_text, table_html
from simlib.lab.scene import Play, Scene
from simlib.models.scripted import call, say
from simlib.plots.canvas import Canvas
from simlib.worlds.library.agents import EXCERPT

ANSWER = "answer"
TOOLS = "search", "read", "list_texts"
MOST_LETTERS = 300  # of what a player writes


class PlayWidget(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The play on the screen. `decisions` are those so far; `scene` is what they led to.

    `error` is what the last move raised, or None.
    """

    def __init__(self, play: Play, canvas: Canvas) -> None:
        self.play, self.canvas = play, canvas
        self.decisions: list[Any] = []
        self.error: Exception | None = None
        self.picture, self.history, self.words = ipywidgets.HTML(), ipywidgets.HTML(), ipywidgets.HTML()
        self.inputs = _inputs(play, self._decide, self._complain)
        back = _button("Take back", lambda: self._set(self.decisions[:-1]))
        again = _button("Start again", lambda: self._set([]))
        self.buttons = {button.description: button for button in (*self.inputs.buttons, back, again)}
        shown = (
            ipywidgets.HBox([_column(self.history, "40%"), _column(self.picture, "60%")])
            if play.beside
            else self.picture
        )
        self.entry = ipywidgets.VBox(self.inputs.rows)
        rows = [self.words, self.entry, ipywidgets.HBox(list(self.buttons.values())), shown]
        super().__init__([ipywidgets.HTML(CSS), *rows])
        self.add_class("simlib-play")
        self._set([])

    def redraw(self) -> None:
        """Show the scene anew, as after a change of style."""
        self._set(self.decisions)

    def _decide(self, decision: Any) -> None:
        if self.scene.asks:
            self._set([*self.decisions, decision])

    def _complain(self, words: str) -> None:
        """Say what is missing; nothing is decided."""
        self.words.value = f'<div class="simlib-words" role="alert"><b>{plain_text(words)}</b></div>'

    def _set(self, decisions: list[Any]) -> None:
        try:
            self.scene: Scene = self.play.scene(decisions)
            self.decisions, self.error = decisions, None
        except Exception as error:  # kept for whoever tests, and shown
            self.error = error
            self.words.value = f'<div class="simlib-error" role="alert">{plain_text(str(error))}</div>'
            return
        (self.add_class if self.canvas.style.large else self.remove_class)("simlib-large")
        self._show(self.scene)

    def _show(self, scene: Scene) -> None:
        lines = [scene.verdict or scene.asks, scene.sentence]
        table = "" if scene.table is None else table_html(scene.table, "Beside the others")
        head, *rest = map(plain_text, lines)
        self.words.value = (
            f'<div class=simlib-words role="status"><b>{head}</b><br>{"<br>".join(rest)}</div>{table}'
        )
        self.entry.layout.display = "" if scene.asks else "none"  # the comparison takes its place
        self.history.value = _log(scene.log)
        figure = self.play.figure
        svg, sentence = figure.svg(self.canvas, scene.data), figure.sentence(scene.data)
        self.picture.value = moving_picture(svg, sentence, place=f"p{self.picture.model_id}")


class _CallInputs:
    """What the model's seat says: a tool with its arguments, or an answer."""

    def __init__(self, decide: Callable[[Any], None], complain: Callable[[str], None]) -> None:
        self._decide, self._complain = decide, complain
        style = {"description_width": "120px"}
        self.what = ipywidgets.Dropdown(
            options=[*TOOLS, ANSWER], description="I ask for", style=style, layout={"width": "300px"}
        )
        self.text = ipywidgets.Text(
            description="text", placeholder="what to search for", style=style, layout={"width": "60%"}
        )
        self.start, self.end = (
            ipywidgets.BoundedIntText(
                value=value, min=0, max=100_000, description=name, style=style, layout={"width": "220px"}
            )
            for name, value in (("from", 0), ("to", EXCERPT))
        )
        self.positions = ipywidgets.HBox([self.start, self.end])
        self.rows = [self.what, self.text, self.positions]
        self.buttons = [_button("Send", self._send)]
        self.what.observe(lambda _: self._fit(), "value")
        self.start.observe(lambda change: setattr(self.end, "value", change.new + EXCERPT), "value")
        self._fit()

    def _fit(self) -> None:
        """Show the boxes that the chosen tool needs."""
        hints = {"search": "what to search for", "read": "the name of a text", ANSWER: "your answer"}
        self.text.placeholder = hints.get(self.what.value, "")
        self.text.layout.display = "none" if self.what.value == "list_texts" else ""
        self.positions.layout.display = "" if self.what.value == "read" else "none"

    def _send(self) -> None:
        name, text = self.what.value, self.text.value.strip()
        if name != "list_texts" and not text:
            self._complain(f"Write into the box: {self.text.placeholder}.")
            return
        if len(text) > MOST_LETTERS:
            self._complain(f"At most {MOST_LETTERS} letters, please: what you write is paid for.")
            return
        arguments: dict[str, Any] = {} if name == "list_texts" else {"text": text}
        if name == "read":
            arguments |= {"start": self.start.value, "end": self.end.value}
        self.text.value = ""
        self._decide(say(text) if name == ANSWER else call(name, **arguments))


class _Options:
    """One of a few causes, or whatever else a play offers."""

    def __init__(self, options: tuple[str, ...], decide: Callable[[Any], None]) -> None:
        self.what = ipywidgets.Dropdown(
            options=options, description="because", style={"description_width": "120px"}
        )
        self.rows = [self.what]
        self.buttons = [_button("Send", lambda: decide(self.what.value))]


class _YesNo:
    """What the approver's seat says."""

    def __init__(self, decide: Callable[[Any], None]) -> None:
        self.rows: list[Any] = []
        self.buttons = [_button("Agree", lambda: decide(True)), _button("Refuse", lambda: decide(False))]


def _inputs(play: Play, decide: Callable[[Any], None], complain: Callable[[str], None]) -> Any:
    """What a player of this play decides with."""
    if play.decides == "calls":
        return _CallInputs(decide, complain)
    return _Options(play.options, decide) if play.decides == "options" else _YesNo(decide)


def _button(name: str, pressed: Callable[[], None]) -> Any:
    button = ipywidgets.Button(description=name, layout={"width": "auto"})
    button.on_click(lambda _: pressed())
    return button


def _column(widget: Any, width: str) -> Any:
    return ipywidgets.VBox([widget], layout={"width": width})


def _log(lines: tuple[str, ...]) -> str:
    """What was said, the newest on top, where it is seen without scrolling."""
    rows = "".join(f"<p>{plain_text(line)}</p>" for line in reversed(lines))
    return f'<div class="simlib-log" tabindex="0" role="log" aria-label="what you have read">{rows}</div>'
