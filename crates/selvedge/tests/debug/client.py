"""Debugs a recorded execution through a client library of the Debug Adapter Protocol, which checks every message.

usage: client.py SELVEDGE FOLDER

FOLDER has bank.c and bank.schedule.json, in which an assertion fails. What does not hold ends the script with an error.
"""

import subprocess
import sys

from dap import Client
from dap.base import ErrorResponse
from dap.events import ExitedEvent, InitializedEvent, OutputEvent, StoppedEvent, TerminatedEvent
from dap.handler import Handler



class Checked(Handler):
    """The library takes the bodies of mere acknowledgements, which are empty, for whole messages, and numbers of
    breakpoints, which the protocol has as numbers, for text; and it spells `exceptionId` in its own way."""

    def handle_event(self, event):
        hit = (event.body or {}).get("hitBreakpointIds")
        if hit is not None:
            assert all(isinstance(number, int) for number in hit), hit
            event.body["hitBreakpointIds"] = [str(number) for number in hit]
        return super().handle_event(event)

    def handle_response(self, response):
        if response.success and not response.body:
            request = self.client._pending_requests.pop(response.request_seq)
            assert request.command == response.command
            return response
        if response.success and response.command == "exceptionInfo":
            response.body["exceptionID"] = response.body["exceptionId"]
        return super().handle_response(response)


selvedge, folder = sys.argv[1:]
adapter = subprocess.Popen([selvedge, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
client = Client("selvedge")
client.handler = Checked(client)
pending = []
output = []


def receive():
    """The next message that is no output."""
    while True:
        while pending:
            message = pending.pop(0)
            if isinstance(message, OutputEvent):
                output.append(message.output)
            else:
                return message
        adapter.stdin.write(client.send())
        adapter.stdin.flush()
        read = adapter.stdout.read1()
        assert read, "the adapter has gone"
        pending.extend(client.receive(read))


def until(kind):
    """Skips answers without a body up to a message of some kind."""
    while True:
        message = receive()
        assert not isinstance(message, ErrorResponse), message
        if isinstance(message, kind):
            return message


def answer(_request):
    message = receive()
    assert not isinstance(message, ErrorResponse), message
    return message


capabilities = answer(0)
client.send_request("launch", {
    "program": "bank.c", "schedule": "bank.schedule.json", "cwd": folder, "stopOnEntry": True,
})
until(InitializedEvent)
source = {"name": "bank.c", "path": folder + "/bank.c"}
set_to = answer(client.set_breakpoints(source, [{"line": 25}, {"line": 4000}]))
first, second = set_to.breakpoints
assert first.verified and first.line >= 25, first
assert not second.verified and "line 4000" in second.message, second
client.configuration_done()
stopped = until(StoppedEvent)
assert stopped.reason == "entry" and stopped.allThreadsStopped, stopped
threads = answer(client.threads()).threads
assert [thread.name for thread in threads] == ["main"], threads


def top(thread):
    """Function and line of a thread, its frame, and all functions of its stack."""
    frames = answer(client.stack_trace(thread)).stackFrames
    return frames[0].name, frames[0].line, frames[0].id, [frame.name for frame in frames]


def variables(frame):
    scopes = {scope.name: scope.variablesReference for scope in answer(client.scopes(frame)).scopes}
    found = answer(client.variables(scopes["Locals"])).variables
    return {variable.name: variable for variable in found}


assert top(1)[0] == "main"
client.continue_(1)
stopped = until(StoppedEvent)
assert stopped.reason == "breakpoint" and stopped.hitBreakpointIds == [str(first.id)], stopped
thread = stopped.threadId
name, line, frame, stack = top(thread)
assert (name, line) == ("set_balance", first.line), (name, line)
assert stack == ["set_balance", "transfer", "first_teller"], stack
local = variables(frame)
assert local["balance"].value == "70" and local["balance"].type == "int", local
account = answer(client.variables(local["account"].variablesReference)).variables[0]
assert account.name == "*account" and "balance: 100" in account.value, account
members = answer(client.variables(account.variablesReference)).variables
assert [member.name for member in members] == ["lock", "balance"], members
assert answer(client.evaluate("savings.balance", frame)).result == "100"

# A watched variable stops the execution where it changes, forwards and backwards.
client.set_breakpoints(source, [])
receive()
information = answer(client.send_request("dataBreakpointInfo", {"name": "savings.balance", "frameId": frame}))
assert information.dataId and information.accessTypes == ["write"], information
watched = answer(client.set_data_breakpoints([{"dataId": information.dataId}]))
assert watched.breakpoints[0].verified
client.continue_(thread)
stopped = until(StoppedEvent)
assert stopped.reason == "data breakpoint", stopped
assert stopped.description == "savings.balance: 100 -> 80", stopped
other = stopped.threadId
assert other != thread
client.continue_(other)
assert until(StoppedEvent).description == "savings.balance: 80 -> 130"
client.reverse_continue(other)
back = until(StoppedEvent)
assert (back.description, back.threadId) == ("savings.balance: 100 -> 80", other), back
client.set_data_breakpoints([])
receive()

# Lines of one function, forwards and backwards, are the same lines.
name, line, _, _ = top(other)
assert name == "set_balance"
for step, expected in [(client.next, line + 1), (client.step_back, line), (client.step_back, line - 1), (client.next, line)]:
    step(other)
    assert until(StoppedEvent).reason == "step"
    assert top(other)[:2] == (name, expected), (top(other)[:2], expected)
# Out of the function, and back over the whole call.
client.step_out(other)
assert until(StoppedEvent).reason == "step"
name, line, _, _ = top(other)
assert name == "transfer"
client.step_back(other)
until(StoppedEvent)
assert top(other)[0] == "transfer" and top(other)[1] < line, (top(other)[:2], line)

# The end: what has gone wrong.
client.continue_(other)
stopped = until(StoppedEvent)
assert (stopped.reason, stopped.description) == ("exception", "failed assertion"), stopped
information = answer(client.exception_info(stopped.threadId))
assert "checking.balance + savings.balance == 200" in information.details.message, information
assert "".join(output) == "checking 90, savings 130\n", output

client.reverse_continue(1)
assert until(StoppedEvent).reason == "entry"
client.continue_(1)
assert until(StoppedEvent).reason == "exception"
assert "".join(output) == "checking 90, savings 130\n", "what is written again is told once"
client.continue_(1)
assert until(ExitedEvent).exitCode == 1
until(TerminatedEvent)
client.disconnect()
receive()
assert adapter.wait(10) == 0
print("ok")
