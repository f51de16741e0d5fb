#!/usr/bin/python3
"""press.py KEY: presses a key of the keyboard (Return, Tab, Escape ...) for the window that has the focus."""

import ctypes
import sys

x11 = ctypes.CDLL("libX11.so.6")
test = ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XStringToKeysym.restype = ctypes.c_ulong
x11.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]

display = x11.XOpenDisplay(None)
key = x11.XKeysymToKeycode(display, x11.XStringToKeysym(sys.argv[1].encode()))
for is_down in (1, 0):
    test.XTestFakeKeyEvent(display, key, is_down, 0)
x11.XSync(display, 0)
