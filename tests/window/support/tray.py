#!/usr/bin/python3
"""The desktop's side of a tray, for tests: shows no picture, reads and clicks the menu.

tray.py watch          is the StatusNotifierWatcher of this session bus until it is ended
tray.py read           prints the icon's picture file and the menu as JSON
tray.py click LABEL    clicks the entry with these words, and prints the moment
tray.py count          prints how many icons there are
"""

import json
import sys
import time

from gi.repository import Gio, GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
XML = f"""
<node><interface name='{WATCHER}'>
  <method name='RegisterStatusNotifierItem'><arg name='service' type='s' direction='in'/></method>
  <method name='RegisterStatusNotifierHost'><arg name='service' type='s' direction='in'/></method>
  <property name='RegisteredStatusNotifierItems' type='as' access='read'/>
  <property name='IsStatusNotifierHostRegistered' type='b' access='read'/>
  <property name='ProtocolVersion' type='i' access='read'/>
  <signal name='StatusNotifierItemRegistered'><arg type='s'/></signal>
  <signal name='StatusNotifierItemUnregistered'><arg type='s'/></signal>
</interface></node>
"""


def watch():
    items = []
    interface = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]

    def tell(bus, signal, item):
        bus.emit_signal(None, "/StatusNotifierWatcher", WATCHER, signal, GLib.Variant("(s)", (item,)))

    def call(bus, sender, _path, _interface, method, parameters, invocation):
        if method == "RegisterStatusNotifierItem":
            (service,) = parameters.unpack()
            item = sender + service if service.startswith("/") else service + "/StatusNotifierItem"
            # An icon whose menu changes while it registers does so twice.
            if item in items:
                return invocation.return_value(None)
            items.append(item)
            tell(bus, "StatusNotifierItemRegistered", item)

            def gone(*_):
                if item in items:
                    items.remove(item)
                    tell(bus, "StatusNotifierItemUnregistered", item)

            Gio.bus_watch_name_on_connection(bus, sender, 0, None, gone)
        invocation.return_value(None)

    def get(_bus, _sender, _path, _interface, name):
        return {
            "RegisteredStatusNotifierItems": GLib.Variant("as", items),
            "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
            "ProtocolVersion": GLib.Variant("i", 0),
        }[name]

    def acquired(bus, _name):
        bus.register_object("/StatusNotifierWatcher", interface, call, get, None)

    def owned(*_):
        print("watching", flush=True)

    Gio.bus_own_name(Gio.BusType.SESSION, WATCHER, 0, acquired, owned, lambda *_: sys.exit("the name is taken"))
    GLib.MainLoop().run()


class Tray:
    """The one icon of this session bus."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.items = self.get(WATCHER, "/StatusNotifierWatcher", WATCHER, "RegisteredStatusNotifierItems")

    def item(self):
        if not self.items:
            sys.exit("there is no icon in the tray")
        name, path = self.items[0].split("/", 1)
        return name, "/" + path

    def call(self, name, path, interface, method, arguments):
        return self.bus.call_sync(name, path, interface, method, arguments, None, 0, 5000).unpack()

    def get(self, name, path, interface, key):
        arguments = GLib.Variant("(ss)", (interface, key))
        return self.call(name, path, "org.freedesktop.DBus.Properties", "Get", arguments)[0]

    def entries(self):
        name, path = self.item()
        menu = self.get(name, path, ITEM, "Menu")
        self.call(name, menu, MENU, "AboutToShow", GLib.Variant("(i)", (0,)))
        _, (_, _, children) = self.call(name, menu, MENU, "GetLayout", GLib.Variant("(iias)", (0, -1, [])))
        return menu, list(self.flat(children, 0))

    def flat(self, entries, depth):
        """The entries with those of their own menus, each with its depth."""
        for number, properties, children in entries:
            yield number, {**properties, "depth": depth}
            yield from self.flat(children, depth + 1)

    def read(self):
        _, entries = self.entries()
        lines = []
        for _, properties in entries:
            if properties.get("type") == "separator":
                lines.append("  " * properties["depth"] + "---")
                continue
            words = properties.get("label", "").replace("__", "_")
            if properties.get("toggle-type"):
                words = ("[x] " if properties.get("toggle-state") == 1 else "[ ] ") + words
            words = words if properties.get("enabled", True) else f"({words})"
            lines.append("  " * properties["depth"] + words)
        print(json.dumps({"icon": self.get(*self.item(), ITEM, "IconName"), "menu": lines}))

    def click(self, words):
        # Between reading and pressing, the program may have renewed its menu: then the entry has another number.
        for again in range(20):
            menu, entries = self.entries()
            numbers = [number for number, properties in entries if properties.get("label", "").replace("__", "_") == words]
            if not numbers:
                sys.exit(f"the menu has no entry “{words}”")
            moment = int(time.time()) & 0xFFFFFFFF
            event = GLib.Variant("(isvu)", (numbers[0], "clicked", GLib.Variant("i", 0), moment))
            name = self.item()[0]
            pressed = time.time()
            try:
                self.call(name, menu, MENU, "Event", event)
                print(pressed, flush=True)
                return
            except GLib.Error as error:
                if again == 19 or "does not refer to a menu item" not in error.message:
                    raise


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["watch"]:
            watch()
        case ["read"]:
            Tray().read()
        case ["click", words]:
            Tray().click(words)
        case ["count"]:
            print(len(Tray().items))
        case _:
            sys.exit(__doc__)
