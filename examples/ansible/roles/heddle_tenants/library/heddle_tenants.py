#!/usr/bin/python3
"""Ansible module: the tenants of a Heddle controller are what a tenants file says."""

DOCUMENTATION = r"""
module: heddle_tenants
short_description: Makes the tenants of a Heddle controller what a tenants file says
description:
  - Sends a tenants file to a controller, which plans and proves what would change, and applies it.
  - The same file again changes nothing. In check mode the plan is made and not applied.
options:
  server:
    description: Address of the controller, as http://127.0.0.1:8480.
    type: str
    required: true
  token:
    description: A provider's token.
    type: str
  token_file:
    description: File with the token, on the managed node.
    type: path
  content:
    description: Text of the tenants file (docs/tenants.md).
    type: str
    required: true
  keep:
    description: Tenants that the file does not name stay.
    type: bool
    default: false
  validate_certs:
    description: Whether the controller's certificate must be valid.
    type: bool
    default: true
"""

EXAMPLES = r"""
- heddle_tenants:
    server: http://127.0.0.1:8480
    token_file: /etc/heddle/ansible.token
    content: "{{ lookup('file', 'tenants.yaml') }}"
"""

RETURN = r"""
tenants:
  description: To whom something happened, or would, each with name, change, before and after.
  returned: always
  type: list
epoch:
  description: The controller's epoch afterwards; in check mode that of the plan.
  returned: always
  type: int
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.urls import fetch_url

TIMEOUT = 600


def call(module, token, path, body):
    """Posts to the controller; ends the module with its reason if that is refused."""
    server = module.params["server"].rstrip("/")
    if server.endswith("/v1"):
        server = server[: -len("/v1")]
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body)
    answer, info = fetch_url(
        module, server + path, method="POST", data=data, headers=headers, timeout=TIMEOUT
    )
    text = info.get("body") if answer is None or info["status"] >= 400 else answer.read()
    try:
        document = json.loads(text) if text else {}
    except ValueError:
        document = {}
    if info["status"] >= 400 or info["status"] < 0:
        reason = document.get("detail") or info.get("msg") or "HTTP %d" % info["status"]
        module.fail_json(msg=reason, status=info["status"], hints=document.get("hints", []))
    return document


def side(tenant):
    """One side of a difference."""
    return json.dumps(tenant, indent=2, sort_keys=True) + "\n" if tenant else ""


def main():
    module = AnsibleModule(
        argument_spec={
            "server": {"type": "str", "required": True},
            "token": {"type": "str", "no_log": True},
            "token_file": {"type": "path"},
            "content": {"type": "str", "required": True},
            "keep": {"type": "bool", "default": False},
            "validate_certs": {"type": "bool", "default": True},
        },
        mutually_exclusive=[("token", "token_file")],
        supports_check_mode=True,
    )
    token = module.params["token"] or ""
    if module.params["token_file"]:
        if not os.access(module.params["token_file"], os.R_OK):
            module.fail_json(msg="the token file cannot be read: " + module.params["token_file"])
        with open(module.params["token_file"]) as file:
            token = file.read().strip()
    change = {
        "op": "tenants-file",
        "source": "ansible",
        "text": module.params["content"],
        "keep": module.params["keep"],
    }
    plan = call(module, token, "/v1/plans", {"changes": [change]})
    result = plan["result"]
    if not result["proven"]:
        module.fail_json(msg=result["reason"], hints=result["hints"])
    tenants = result["tenants"]
    changed = bool(tenants) or result["tables"]["blocks"] > 0
    epoch = plan["epoch"]
    if changed and not module.check_mode:
        epoch = call(module, token, "/v1/plans/%d/apply" % plan["id"], None)["epoch"]
    difference = [
        {
            "before_header": t["name"],
            "after_header": t["name"],
            "before": side(t["before"]),
            "after": side(t["after"]),
        }
        for t in tenants
    ]
    module.exit_json(changed=changed, tenants=tenants, epoch=epoch, diff=difference)


if __name__ == "__main__":
    main()
