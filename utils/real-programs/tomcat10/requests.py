#!/usr/bin/env python3
"""Sends a fixed list of requests to 127.0.0.1:PORT and prints the answers."""

import http.client
import sys


def main():
    port = int(sys.argv[1])
    plan = [("GET", "/app/index.txt"), ("GET", "/app/hello?a=1&b=%C3%BC"),
            ("GET", "/app/page.jsp?n=3"), ("GET", "/app/page.jsp?n=1"),
            ("GET", "/app/page.jsp"), ("GET", "/app/nothing-there"),
            ("GET", "/app/hello?fail=1"), ("HEAD", "/app/index.txt"),
            ("POST", "/app/hello"), ("DELETE", "/app/hello")]
    cookie = None
    for round_number in range(3):
        for method, path in plan:
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {"Cookie": cookie} if cookie else {}
            body = b"0123456789" * 5000 if method == "POST" else None
            link.request(method, path, body=body, headers=headers)
            answer = link.getresponse()
            set_cookie = answer.getheader("Set-Cookie")
            if set_cookie:
                cookie = set_cookie.split(";")[0]
            text = answer.read().decode("utf-8")
            if answer.status >= 400:
                # An error page shows stack frames; only its title is stable.
                text = text[text.find("<title>"):text.find("</title>")]
            print(round_number, method, path, answer.status,
                  answer.getheader("Content-Type"), text)
            link.close()


main()
