#!/usr/bin/python3
"""
Stands in for sudo where there is none: asks for the password as it does (a terminal, -S, or -A with SUDO_ASKPASS), thrice
at most, with its words, and runs the command as whoever started it. The password is in the file beside it.
"""
import os, subprocess, sys

args = sys.argv[1:]
wants_input = wants_helper = asks_nobody = False
while args and args[0].startswith('-'):
    word = args.pop(0)
    if word in ('-u', '-p', '-g'):
        args.pop(0)
    elif not word.startswith('--'):
        wants_input |= 'S' in word
        wants_helper |= 'A' in word
        asks_nobody |= 'n' in word
if wants_input and wants_helper:
    sys.exit('sudo: the -A and -S options may not be used together')
if any(line.split() == ['NoNewPrivs:', '1'] for line in open('/proc/self/status')):
    sys.exit('sudo: The "no new privileges" flag is set, which prevents sudo from running as root.')
if asks_nobody:
    sys.exit('sudo: a password is required')
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'password')) as file:
    password = file.read()


def answer():
    if wants_helper:
        helper = os.environ.get('SUDO_ASKPASS')
        if helper is None:
            sys.exit('sudo: no askpass program specified, try setting SUDO_ASKPASS')
        return subprocess.run([helper, '[sudo] password for me: '], stdout=subprocess.PIPE, text=True).stdout.split('\n')[0]
    if wants_input:
        sys.stderr.write('[sudo] password for me: ')
        return sys.stdin.readline().rstrip('\n')
    sys.exit('sudo: a terminal is required to read the password; either use the -S option to read from standard input or configure '
             'an askpass helper\nsudo: a password is required')


for attempt in range(3):
    given = answer()
    if given == password:
        os.execvp(args[0], args)
    if given == '':
        sys.exit('sudo: no password was provided' + (f'\nsudo: {attempt} incorrect password attempt' if attempt else ''))
    sys.stderr.write('Sorry, try again.\n')
sys.exit('sudo: 3 incorrect password attempts')
