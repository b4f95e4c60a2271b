#!/usr/bin/env python3
"""The server part of README.md's tour, by the generated package: tour.py SERVER TOKEN_FILE."""

import pathlib
import sys

from heddle_client import Client, Refused


def main(server, token_file):
    client = Client(server, pathlib.Path(token_file).read_text().strip())
    assert len(client.list_fabrics()["items"]) == 1

    name = "py.blue"
    body = {"name": name, "policy": "def", "hosts": 2, "ipoib": True, "mtu": 4096}
    dry = client.create_tenant(body, dry_run=True)
    assert dry["outcome"] == "would-be", dry
    made = client.create_tenant(body)
    assert made["outcome"] == "accepted", made
    assert len(made["tenant"]["hosts"]) == 2
    assert client.create_tenant(body)["outcome"] == "unchanged"
    print("made %s at epoch %d" % (name, made["epoch"]))

    shown = client.get_tenant(name)
    assert shown["ipoib"] and shown["mtu"] == 4096
    assert name in [t["name"] for t in client.items(client.list_tenants, limit=1)]

    hosts = [h["name"] for h in shown["hosts"]]
    client.create_vm({"name": "py-web", "tenant": name, "host": hosts[0]})
    move = {"moves": [{"vm": "py-web", "to": hosts[1]}]}
    assert client.create_migration(move, dry_run=True)
    client.delete_vm("py-web")

    client.replace_tenant(name, {**body, "hosts": 3, "rate": 25})
    back = client.rollback({"epoch": made["epoch"], "tenant": name})
    assert len(back["tenant"]["hosts"]) == 2

    try:
        client.create_tenant({"name": "py.red", "hosts": 100000})
        raise AssertionError("more hosts than there are")
    except Refused as e:
        assert e.status == 409 and e.detail, e
        print("refused:", e)
    try:
        client.replace_tenant(name, body, if_match='"1"')
        raise AssertionError("a version that is not current")
    except Refused as e:
        assert e.status == 412, e

    assert client.list_history(order="desc", limit=1)["items"][0]["kind"] == "rolled-back"
    assert client.list_events(last=5)["items"]
    client.delete_tenant(name)
    try:
        client.get_tenant(name)
        raise AssertionError("it is gone")
    except Refused as e:
        assert e.status == 404, e
    print("the tour is done")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: tour.py SERVER TOKEN_FILE")
    main(*sys.argv[1:])
