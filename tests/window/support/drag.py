#!/usr/bin/python3
"""drag.py X Y PATH ...: drags files by the mouse, as from a file manager, and holds them over a place of the screen.

It says `over` once they are held there. Each line of standard input is a command: `drop` lets them go, `leave` moves
away with them and lets go where nothing takes them. At the end it says `taken` or `refused`."""

import ctypes
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

x11 = ctypes.CDLL("libX11.so.6")
test = ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
test.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
test.XTestFakeMotionEvent.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ulong]
display = x11.XOpenDisplay(None)

# The source is this many pixels wide and high, at the left top of the screen.
SIDE = 24
BEAT = 20  # milliseconds between two movements of the hand

x, y = map(int, sys.argv[1:3])
uris = [pathlib.Path(path).as_uri() for path in sys.argv[3:]]
way = [(SIDE // 2 + step * (x - SIDE // 2) // 12, SIDE // 2 + step * (y - SIDE // 2) // 12) for step in range(1, 13)]


def move(to):
    test.XTestFakeMotionEvent(display, -1, *to, 0)
    x11.XSync(display, 0)


def button(is_down):
    test.XTestFakeButtonEvent(display, 1, is_down, 0)
    x11.XSync(display, 0)


def hand():
    """Each step of the hand, one a beat."""
    yield move((SIDE // 2, SIDE // 2))
    yield button(1)
    for place in way:
        yield move(place)
    # What is under it learns where it is from a movement there.
    yield move((x + 1, y))
    print("over", flush=True)


def beat(steps):
    return next(steps, StopIteration) is not StopIteration


def on_line(channel, condition):
    line = sys.stdin.readline().strip()
    if line == "leave":
        move((SIDE // 2, SIDE // 2))
    if line in ("drop", "leave"):
        GLib.timeout_add(BEAT, lambda: button(0))
    return bool(line)


def on_end(widget, context):
    print("refused" if widget.has_failed else "taken", flush=True)
    Gtk.main_quit()


def on_failed(widget, context, result):
    widget.has_failed = True
    return True  # no animation


source = Gtk.Window(type=Gtk.WindowType.POPUP)
source.set_default_size(SIDE, SIDE)
source.has_failed = False
source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
source.drag_source_add_uri_targets()
source.connect("drag-data-get", lambda widget, context, data, info, time: data.set_uris(uris))
source.connect("drag-end", on_end)
source.connect("drag-failed", on_failed)
source.connect("map-event", lambda *_: GLib.timeout_add(BEAT, beat, hand()) and False)
source.show_all()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_line)
Gtk.main()
