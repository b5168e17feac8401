"""A panel in Jupyter: sliders with number boxes, and one HTML widget that holds the picture.

The picture, its text alternative and the sentence are replaced together, so that they always agree, nothing
flickers and nothing piles up. The widget is a thin shell: whatever can go wrong happens in `Panel.show`.
"""

from collections.abc import Mapping
from typing import Any

import ipywidgets
from traitlets import link

from simlib.articles.figures.figure import Table
from simlib.lab.controls import Choice, Control, Slider, TextBox, values_of
from simlib.lab.html import CSS, moving_picture, plain_text, table_html
from simlib.lab.panel import NO_GUESSES, Panel
from simlib.plots.canvas import Canvas

_LABEL = "200px"


class PanelWidget(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The panel on the screen, its controls at their defaults or at `values`, drawn once.

    `error` is what the last redraw raised, or None; `redraws` counts them.
    """

    def __init__(
        self, panel: Panel, canvas: Canvas, guesses: Mapping[str, float] = NO_GUESSES, **values: Any
    ) -> None:
        self.panel, self.canvas, self.guesses = panel, canvas, guesses
        self.error: Exception | None = None
        self.redraws = 0
        self._paused = False
        self.inputs: dict[str, Any] = {}
        self.picture = ipywidgets.HTML()
        self.as_table = ipywidgets.Checkbox(
            value=False, description="show the numbers as a table", indent=False, layout={"width": "auto"}
        )
        kinds = ((Slider, TextBox), (Choice,))
        rows, choices = (
            [self._row(control) for control in panel.controls if isinstance(control, kind)] for kind in kinds
        )
        below = ipywidgets.HBox(
            [*choices, self.as_table], layout={"justify_content": "space-between", "flex_flow": "row wrap"}
        )
        super().__init__([ipywidgets.HTML(CSS), *rows, below, self.picture])
        self.add_class("simlib-panel")
        for widget in (*self.inputs.values(), self.as_table):
            widget.observe(lambda _: self.redraw(), "value")
        self.set(**values)

    @property
    def values(self) -> dict[str, Any]:
        """Where the controls stand, by name."""
        return {name: widget.value for name, widget in self.inputs.items()}

    def table(self) -> Table:
        """The numbers behind the picture, as columns, where the controls stand now."""
        return self.panel.table(**self.values)

    def set(self, **values: Any) -> None:
        """Move controls, all at once, and draw once. Raises what `values_of` does, before anything moves."""
        values_of(self.panel.controls, values)
        self._paused = True
        try:
            for name, value in values.items():
                self.inputs[name].value = value
        finally:
            self._paused = False
        self.redraw()

    def reset(self, **values: Any) -> None:
        """Move every control back to where it started, or to these values; the table's box too."""
        starting = {control.name: control.default for control in self.panel.controls}
        self._paused = True
        self.as_table.value = False
        self.set(**starting | values)

    def _restart(self, name: str) -> None:
        """Put a control back to where it started, before the picture is drawn for what was chosen."""
        if not self._paused:
            self._paused = True
            (self.inputs[name].value,) = (c.default for c in self.panel.controls if c.name == name)
            self._paused = False

    def redraw(self) -> None:
        """Put the picture of the present values into the widget; an error goes where the picture would be."""
        if self._paused:
            return
        self.redraws += 1
        (self.add_class if self.canvas.style.large else self.remove_class)("simlib-large")
        try:
            self.error = None
            if self.as_table.value:
                table = table_html(self.table(), self.panel.figure.title)
                self.picture.value = f"<div class=simlib-scroll>{table}</div>"
            else:
                shown = self.panel.show(self.canvas, self.guesses, **self.values)
                self.picture.value = moving_picture(*shown, place=f"p{self.picture.model_id}")
        except Exception as error:  # kept for whoever tests, and shown: a silent panel teaches nothing
            self.error = error
            self.picture.value = (
                f'<div class="simlib-error" role="alert"><b>{type(error).__name__}</b>: '
                f"{plain_text(str(error))}</div>"
            )

    def _row(self, control: Control) -> Any:
        """A labelled number box and its slider, which follow each other; or a list of options."""
        if isinstance(control, Choice):
            chosen = ipywidgets.Dropdown(
                options=list(control.options.items()),
                value=control.default,
                description=control.label,
                style={"description_width": "initial"},
                layout={"width": "auto"},
            )
            self.inputs[control.name] = chosen
            if control.restarts:
                chosen.observe(lambda _: self._restart(control.restarts), "value")
            return chosen
        if isinstance(control, TextBox):
            return self._text_row(control)
        kinds = ("BoundedIntText", "IntSlider") if control.is_whole else ("BoundedFloatText", "FloatSlider")
        limits = {"min": control.low, "max": control.high, "step": control.step, "value": control.default}
        box = getattr(ipywidgets, kinds[0])(
            **limits,
            description=control.label,
            style={"description_width": _LABEL},
            layout={"width": "300px"},
        )
        slider = getattr(ipywidgets, kinds[1])(**limits, readout=False, layout={"width": "55%"})
        link((slider, "value"), (box, "value"))
        self.inputs[control.name] = slider
        return ipywidgets.HBox([box, slider, *self._next_button(control, slider)])

    def _text_row(self, control: TextBox) -> Any:
        self.inputs[control.name] = ipywidgets.Textarea(
            value=control.default,
            description=control.label,
            rows=2,
            continuous_update=False,
            style={"description_width": _LABEL},
            layout={"width": "90%"},
        )
        return self.inputs[control.name]

    def _next_button(self, control: Slider, slider: Any) -> list[Any]:
        if not control.next_button:
            return []
        button = ipywidgets.Button(description=control.next_button, layout={"width": "auto"})
        button.on_click(
            lambda _: setattr(
                slider, "value", control.low if slider.value >= control.high else slider.value + control.step
            )
        )
        slider.layout.width = "35%"
        return [button]
