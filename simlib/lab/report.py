"""The page that a student hands in."""

from html import escape
from string import Template

from simlib.lab.lesson import Lesson
from simlib.lab.memory import Memory
from simlib.lab.progress import standing


def report_page(lesson: Lesson, memory: Memory, name: str = "") -> str:
    """Everything that was predicted and tried in a lesson, as one page.

    lesson : the lesson. memory : of the student. name : the student's, if it is to be on the page.
    Returns HTML.
    Raises nothing.

    >>> from simlib.lab.lessons.square import LESSON
    >>> from pathlib import Path
    >>> "Ada" in report_page(LESSON, Memory(Path("nowhere.json")), "Ada")
    True
    """
    rows = []
    for exercise in lesson.exercises:
        tries = "<br>".join(
            f"{escape(', '.join(map(str, attempt['given'])))}: {'right' if attempt['right'] else 'not yet'}"
            for attempt in memory.tries(exercise.id)
        )
        seen = "yes" if memory.is_revealed(exercise.id) else "no"
        cells = escape(exercise.prompt), standing(exercise, memory), tries or "-"
        rows.append(
            f"<tr><th scope=row>{exercise.id}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}"
            f"<td>{memory.hints(exercise.id)}</td><td>{seen}</td></tr>"
        )
    return _PAGE.substitute(
        title=escape(f"{lesson.number} {lesson.title}"), name=escape(str(name or "-")), rows="\n".join(rows)
    )


_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #262626; background: #fff }
body { max-width: 60rem; margin: 2rem auto }
table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem }
th, td { border-bottom: 1px solid #ccc }
</style>
</head>
<body>
<h1>$title</h1>
<p>Handed in by: $name</p>
<table>
<thead><tr><th scope=col>exercise<th scope=col>question<th scope=col>standing<th scope=col>tries
<th scope=col>hints<th scope=col>answer seen</tr></thead>
<tbody>
$rows
</tbody>
</table>
</body>
</html>
""")
