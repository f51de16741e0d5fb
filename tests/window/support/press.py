#!/usr/bin/python3
"""press.py KEY: presses a key of the keyboard (Return, Tab, Escape ...) for the window that has the focus.
press.py BUTTON X Y: presses a button of the mouse (1 left, 3 right) at a place of the screen."""

import ctypes
import sys
import time

x11 = ctypes.CDLL("libX11.so.6")
test = ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XStringToKeysym.restype = ctypes.c_ulong
x11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
test.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
test.XTestFakeMotionEvent.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ulong]
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]

display = x11.XOpenDisplay(None)
what, *place = sys.argv[1:]
if place:
    test.XTestFakeMotionEvent(display, -1, *map(int, place), 0)
    x11.XSync(display, 0)
    # A hand holds the button for a moment; what opens on the press is there before the release.
    for is_down in (1, 0):
        time.sleep(0.2)
        test.XTestFakeButtonEvent(display, int(what), is_down, 0)
        x11.XSync(display, 0)
else:
    key = x11.XKeysymToKeycode(display, x11.XStringToKeysym(what.encode()))
    for is_down in (1, 0):
        test.XTestFakeKeyEvent(display, key, is_down, 0)
x11.XSync(display, 0)
