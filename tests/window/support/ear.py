#!/usr/bin/python3
"""ear.py: what a screen reader gets of the app, over AT-SPI.

Each line of standard input is answered by a line of JSON on standard output: `focus` is what has the focus and what that is in,
with a number that grows with each move; `heard` what happened since the start, as a list: the words of a live region, and
nothing where none spoke; `tree` all elements of the page that had it last; `read` only reads them."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# The states that a screen reader says, or by which it decides whether to.
STATES = (
    "busy checked collapsed editable enabled expandable expanded focusable focused indeterminate invalid_entry modal"
    " pressed required selectable selected showing"
).split()
ATTRIBUTES = ("level", "posinset", "setsize", "container-live", "xml-roles", "sort", "current")

# An app whose machine is busy may be silent for seconds.
PATIENCE = 50

heard = []
page = None
focused = None
moves = 0
# The number of the last focus that was told, and of the one that was taken.
focuses = taken = 0


def said(one):
    """An element as it is said: role, name, states and what belongs to them."""
    one.clear_cache()
    held = one.get_state_set()
    states = [name for name in STATES if held.contains(getattr(Atspi.StateType, name.upper()))]
    told = {"role": one.get_role_name(), "name": one.get_name() or "", "states": states}
    if one.get_description():
        told["description"] = one.get_description()
    attributes = one.get_attributes() or {}
    told.update({name: attributes[name] for name in ATTRIBUTES if attributes.get(name)})
    if "Text" in one.get_interfaces():
        # A password field has dots for its text; each element in a text stands there as one replacement character.
        told["text"] = text_of(one).replace("\ufffc", "")
    return told


def text_of(one):
    return Atspi.Text.get_text(one, 0, Atspi.Text.get_character_count(one)) if "Text" in one.get_interfaces() else ""


def children(one):
    count = one.get_child_count()
    return [child for child in (one.get_child_at_index(at) for at in range(count)) if child is not None]


def words(one):
    """The text of an element and all in it."""
    if one.get_name():
        return one.get_name()
    text = text_of(one)
    parts = [words(child) for child in children(one)]
    # Each child that is no text stands in its parent's text as one replacement character.
    for part in parts:
        text = text.replace("\ufffc", f" {part} ", 1) if "\ufffc" in text else f"{text} {part}"
    return " ".join(text.split())


def around(one):
    """What an element is in, from the outside."""
    told = []
    while (one := one.get_parent()) is not None and one.get_role_name() != "application":
        if one.get_name() or one.get_role_name() in ("dialog", "alert"):
            told.insert(0, {"role": one.get_role_name(), "name": one.get_name() or ""})
    return told


def page_of(one):
    """The outermost element that an element is in."""
    while (outer := one.get_parent()) is not None:
        one = outer
    return one


def walk(one, depth=0):
    yield {"depth": depth, **said(one)}
    for child in children(one):
        yield from walk(child, depth + 1)


def count(one):
    return 1 + sum(count(child) for child in children(one))


def later(act, tries=PATIENCE):
    """Does it, and again while the app is too busy to answer; what is gone never answers."""
    try:
        act()
    except GLib.Error:
        if tries:
            GLib.timeout_add(200, lambda: later(act, tries - 1))
    return False


def on_focus(event):
    global focuses
    if not event.detail1:
        return
    focuses += 1
    source, number = event.source, focuses

    def take():
        global page, focused, moves, taken
        # What is heard late is not where the focus is now.
        if number > taken and source.get_role_name() != "filler":
            page, focused, moves, taken = page_of(source), source, moves + 1, number

    later(take)


def on_change(event):
    source, kind, changed = event.source, event.type, event.any_data
    # What is understood late keeps its place.
    place = len(heard)
    heard.append("")

    def take():
        if kind.startswith("object:announcement"):
            heard[place] = str(changed)
        elif (source.get_attributes() or {}).get("container-live", "off") != "off":
            heard[place] = changed.strip() if isinstance(changed, str) else words(changed or source)

    later(take)


def answer(asked):
    if asked == "heard":
        return heard
    if asked == "focus":
        return {"moves": moves, **(said(focused) if focused else {}), "within": around(focused) if focused else []}
    if asked == "read":
        return count(page or Atspi.get_desktop(0))
    return list(walk(page)) if page else []


def on_line(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    try:
        told = answer(line.strip())
    except Exception as why:
        told = {"gone": repr(why)}
    print(json.dumps(told), flush=True)
    return True


on_focus_heard = Atspi.EventListener.new(on_focus)
on_focus_heard.register("object:state-changed:focused")
on_change_heard = Atspi.EventListener.new(on_change)
for kind in ("object:text-changed:insert", "object:children-changed:add", "object:announcement"):
    on_change_heard.register(kind)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_line)
print("listening", flush=True)
loop = GLib.MainLoop()
loop.run()
