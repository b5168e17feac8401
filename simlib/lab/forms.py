"""Exercises and predictions as boxes to type into, for those who do not write code."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from simlib.lab.exercise import Exercise
from simlib.lab.html import CSS, plain_text
from simlib.lab.message import Message

ASSISTING = "Hint", "Reveal"  # buttons whose words do not take the place of the verdict

Answer = Callable[..., Message]


class Form(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A question, a box for each part of its answer, buttons, and the place where the reply appears."""

    def __init__(
        self,
        exercise: Exercise,
        typed: list[str],
        buttons: dict[str, Answer],
        note: str = "",
        large: bool = False,
    ) -> None:
        self.boxes = [_box(exercise, part, text) for part, text in zip(exercise.parts, typed, strict=True)]
        self.reply, self.help = ipywidgets.HTML(), ipywidgets.HTML()
        self.buttons = {name: self._button(name, answer) for name, answer in buttons.items()}
        prompt = ipywidgets.HTML(f"{CSS}<p class=simlib-words>{plain_text(exercise.prompt)}</p>")
        wrapping = {"flex_flow": "row wrap"}
        super().__init__(
            [
                prompt,
                ipywidgets.Box(self.boxes, layout=wrapping),
                ipywidgets.HBox(list(self.buttons.values())),
                self.reply,
                self.help,
            ]
        )
        self.add_class("simlib-form")
        if large:
            self.add_class("simlib-large")
        self.show(Message((note,)) if note else None)

    def show(self, message: Message | None) -> None:
        """Put a reply below the buttons; what a hint or the answer said before stays below it."""
        self.reply.value = message._repr_html_() if message else ""

    def assist(self, message: Message) -> None:
        """Put a hint or the answer below the reply."""
        self.help.value = message._repr_html_()

    def _button(self, name: str, answer: Answer) -> Any:
        button = ipywidgets.Button(description=name, layout={"width": "auto"})
        place = self.assist if name in ASSISTING else self.show
        button.on_click(lambda _: place(answer(*(box.value for box in self.boxes))))
        return button


def _box(exercise: Exercise, part: str, text: str) -> Any:
    if exercise.options:
        numbered = [(f"{at}. {option}", str(at)) for at, option in enumerate(exercise.options, start=1)]
        chosen = text if text in {value for _, value in numbered} else ""
        return ipywidgets.Dropdown(
            options=[("choose one", ""), *numbered],
            value=chosen,
            description="your guess",
            style={"description_width": "initial"},
            layout={"width": "auto"},
        )
    unit = f" ({exercise.unit})" if exercise.unit else ""
    label = (part or "your answer") + unit
    return ipywidgets.Text(
        value=text,
        description=label,
        placeholder="a number",
        style={"description_width": "initial"},
        layout={"width": f"{7 * len(label) + 140}px"},  # about seven pixels a letter, and room to type
    )
