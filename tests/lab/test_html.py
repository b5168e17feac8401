from simlib.lab.html import moving_picture, plain_text, still_picture, table_html


def test_numbers_in_tables_are_readable():
    html = table_html({"n": [1358, 0.123456, 12345.678, "<b>$1 and $2</b>"]}, "x")
    assert "<td>1,358</td><" in html.replace("</tr>", "<")
    for shown in ("0.1235", "12,346", "&lt;b&gt;<span>$</span>1 and <span>$</span>2"):
        assert f">{shown}" in html


def test_a_sentence_cannot_break_out_of_its_attribute():
    for html in (moving_picture("<svg/>", 'a "b" <c>', "p"), still_picture("<svg/>", 'a "b" <c>')):
        assert 'a "b"' not in html
        assert "<c>" not in html
        assert html.count("a &quot;b&quot; &lt;c&gt;") == 2


def test_roles_are_for_screen_readers():
    assert 'role="img" aria-label="Eight."' in moving_picture("<svg></svg>", "Eight.", "p")


def test_markup_is_text():
    assert plain_text("<script>") == "&lt;script&gt;"
