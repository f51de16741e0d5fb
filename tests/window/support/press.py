#!/usr/bin/python3
"""press.py KEY ...: presses keys of the keyboard one after the other (Return, Tab, Control_L+a ...) for the window that
has the focus.
press.py type TEXT: types a text of ASCII.
press.py BUTTON X Y: presses a button of the mouse (1 left, 3 right) at a place of the screen."""

import ctypes
import sys
import time

x11 = ctypes.CDLL("libX11.so.6")
test = ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XStringToKeysym.restype = ctypes.c_ulong
x11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
x11.XkbKeycodeToKeysym.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint]
x11.XkbKeycodeToKeysym.restype = ctypes.c_ulong
test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
test.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
test.XTestFakeMotionEvent.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ulong]
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]

display = x11.XOpenDisplay(None)


def code_of(name):
    return x11.XKeysymToKeycode(display, x11.XStringToKeysym(name.encode()))


def press(codes):
    """Presses keys in this order and lets them go in the other one."""
    for is_down, keys in ((1, codes), (0, codes[::-1])):
        for key in keys:
            test.XTestFakeKeyEvent(display, key, is_down, 0)
    x11.XSync(display, 0)


what, *more = sys.argv[1:]
if what == "type":
    for letter in more[0]:
        # The symbols of ASCII have its numbers.
        code = x11.XKeysymToKeycode(display, ord(letter))
        is_plain = x11.XkbKeycodeToKeysym(display, code, 0, 0) == ord(letter)
        press([code] if is_plain else [code_of("Shift_L"), code])
elif what.isdigit() and len(more) == 2:
    test.XTestFakeMotionEvent(display, -1, *map(int, more), 0)
    x11.XSync(display, 0)
    # A hand holds the button for a moment; what opens on the press is there before the release.
    for is_down in (1, 0):
        time.sleep(0.2)
        test.XTestFakeButtonEvent(display, int(what), is_down, 0)
        x11.XSync(display, 0)
else:
    for chord in (what, *more):
        press([code_of(name) for name in chord.split("+")])
