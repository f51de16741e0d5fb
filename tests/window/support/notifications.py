"""A desktop's notifications: owns their name on the session bus, and tells and clicks what is shown.

notifications.py watch          owns the name until it is ended
notifications.py read           what is shown, as JSON: [{id, title, body, actions}]
notifications.py click TITLE    clicks the notification of this title
"""

import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
# The specification's calls that a program uses, and two of our own at the end.
INTERFACE = """
<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="Shown"><arg type="s" direction="out"/></method>
  <method name="Click"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>
"""


def watch():
    shown = []

    def call(bus, _sender, path, interface, method, arguments, invocation):
        values = arguments.unpack()
        answer = None
        if method == "Notify":
            _, replaced, _, title, body, actions, _, _ = values
            number = replaced or len(shown) + 1
            shown.append({"id": number, "title": title, "body": body, "actions": actions})
            answer = GLib.Variant("(u)", (number,))
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body", "body-markup"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("tests", "tests", "1", "1.2"))
        elif method == "Shown":
            answer = GLib.Variant("(s)", (json.dumps(shown),))
        elif method == "Click":
            for signal, value in ("ActionInvoked", ("us", (values[0], "default"))), ("NotificationClosed", ("uu", (values[0], 2))):
                bus.emit_signal(None, path, interface, signal, GLib.Variant(f"({value[0]})", value[1]))
        invocation.return_value(answer)

    def acquired(bus, _name):
        bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], call, None, None)

    def owned(*_):
        print("watching", flush=True)

    Gio.bus_own_name(Gio.BusType.SESSION, NAME, 0, acquired, owned, lambda *_: sys.exit("the name is taken"))
    GLib.MainLoop().run()


def ask(method, arguments=None):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    return bus.call_sync(NAME, PATH, NAME, method, arguments, None, 0, 5000).unpack()


def click(title):
    numbers = [each["id"] for each in json.loads(ask("Shown")[0]) if each["title"] == title]
    if not numbers:
        sys.exit(f"no notification “{title}” is shown")
    ask("Click", GLib.Variant("(u)", (numbers[-1],)))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["watch"]:
            watch()
        case ["read"]:
            print(ask("Shown")[0])
        case ["click", title]:
            click(title)
        case _:
            sys.exit(__doc__)
