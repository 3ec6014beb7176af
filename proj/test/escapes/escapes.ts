import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionResult, HermesOptions } from '../../src/index.js'
import { command, python, type Stage } from './stage.js'

/** What a command tries, and how one sees whether it came out. */
export interface Escape {
  name: string
  prepare?(stage: Stage): unknown
  answers(stage: Stage): string[]
  options?: HermesOptions
  /** Asked after the run; outside a sandbox it must become true. */
  escaped(stage: Stage, results: ExecutionResult[]): boolean
  /** A wall that this sandbox does not have. */
  open?: 'unshare'
  /** As root nothing keeps it back at once. */
  onlyUnprivileged?: true
  /** How long after the run it may still come out. Default 0. */
  settlesMs?: number
}

const ALL = 'import os,sys,time,ctypes,mmap,socket,signal; '

export const ESCAPES: readonly Escape[] = [
  {
    name: 'reads the home',
    answers: () => [command('cat ~/secret.txt')],
    escaped: (_, results) => printed(results).includes('the-secret-of-home'),
  },
  {
    name: 'reads keys that lie beside the programs of a directory in PATH',
    prepare(stage) {
      stage.plant('home/.fly/bin/fly', '#!/bin/sh\n', 0o755)
      stage.plant('home/.fly/bin/.npmrc', 'the-token-among-programs')
      stage.plant('home/.fly/config.yml', 'the-token-of-fly')
      stage.env['PATH'] = `${stage.home}/.fly/bin:${stage.env['PATH']}`
    },
    answers: () => [command('fly; cat ~/.fly/config.yml ~/.fly/bin/.npmrc')],
    escaped: (_, results) => /the-token/.test(printed(results)),
  },
  {
    name: 'reads another directory by its path',
    answers: ({ outside }) => [command(`cat ${outside}/secret.txt`)],
    escaped: (_, results) => printed(results).includes('the-secret-outside'),
  },
  {
    name: 'reads through a link that it makes in the root',
    answers: ({ outside }) => [command(`ln -s ${outside} link && cat link/secret.txt`)],
    escaped: (_, results) => printed(results).includes('the-secret-outside'),
  },
  {
    name: 'opens a directory by HOME and PATH of its own',
    answers: ({ outside }) => [command(`cat ${outside}/secret.txt`, { env: { HOME: '/', PATH: `${outside}:/usr/bin:/bin` } })],
    escaped: (_, results) => printed(results).includes('the-secret-outside'),
  },
  {
    name: 'writes outside of the root',
    answers: ({ outside }) => [command(`echo changed > ${outside}/planted; echo changed >> ${outside}/secret.txt`)],
    escaped: stage => stage.has('outside/planted') || stage.read('outside/secret.txt').includes('changed'),
  },
  {
    name: 'writes beside the root',
    answers: () => [command('echo planted > ../planted')],
    escaped: stage => stage.has('planted'),
  },
  {
    name: 'links a file from outside into the root',
    answers: ({ outside }) => [command(`ln ${outside}/secret.txt linked.txt`)],
    escaped: stage => stage.has('project/linked.txt'),
  },
  {
    name: 'runs a library in the sandbox program itself (LD_PRELOAD)',
    prepare(stage) {
      stage.plant('project/evil.c', `#include <stdio.h>\n__attribute__((constructor)) void f(void) { FILE *o = fopen("${stage.outside}/planted", "w"); if (o) fclose(o); }\n`)
      execFileSync('gcc', ['-shared', '-fPIC', '-o', join(stage.root, 'evil.so'), join(stage.root, 'evil.c')])
      chmodSync(join(stage.root, 'evil.so'), 0o755)
    },
    answers: ({ root }) => [command('true', { env: { LD_PRELOAD: `${root}/evil.so` } })],
    escaped: stage => stage.has('outside/planted'),
  },
  {
    name: 'reads the environment of hermes',
    prepare(stage) {
      stage.isApart = true
    },
    answers: () => [command("cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c ^STAGE_PASSWORD=")],
    escaped: (_, results) => Number(printed(results)) > 0,
  },
  {
    name: 'reaches a listener on the loopback of the machine',
    prepare: stage => stage.listen(),
    answers: ({ port }) => [command(`exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 0.2`)],
    escaped: stage => stage.connections > 0,
  },
  {
    name: 'sees other processes',
    prepare: stage => stage.startVictim(),
    answers: () => [command("cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o 'the-[v]ictim'")],
    escaped: (_, results) => printed(results).includes('the-victim'),
  },
  {
    name: 'traces another process',
    prepare: stage => stage.startVictim(),
    answers: ({ victim }) => [command(python(`${ALL}print("traced", ctypes.CDLL(None).ptrace(16, ${victim?.pid}, 0, 0))`))],
    escaped: (_, results) => printed(results).includes('traced 0'),
  },
  {
    name: 'kills another process',
    prepare: stage => stage.startVictim(),
    answers: ({ victim }) => [command(`kill -KILL ${victim?.pid}; sleep 0.1`)],
    escaped: stage => !stage.victimLives,
    settlesMs: 100,
  },
  {
    name: 'stops its parent',
    // Ended by a signal it would take the test along.
    answers: () => [command("cat /proc/$PPID/comm; kill -0 $PPID && grep -q '^node' /proc/$PPID/comm && echo reached")],
    escaped: (_, results) => printed(results).includes('reached'),
  },
  {
    name: 'leaves a daemon behind',
    answers: ({ root }) => [command(
      `(env -i setsid sh -c "(sleep 4; touch ${root}/late) >/dev/null 2>&1 &" >/dev/null 2>&1 &); sleep 0.3; echo done`,
    )],
    escaped: stage => stage.has('project/late'),
    // The command has long ended by then, also on a busy machine.
    settlesMs: 5000,
  },
  {
    name: 'fills memory by one process',
    answers: () => [command(python('x = bytearray(400 * 1024 * 1024); print("filled")'))],
    options: { limits: { maxMemoryBytes: 200 * 2 ** 20 } },
    escaped: (_, results) => printed(results).includes('filled'),
  },
  {
    name: 'fills memory by many processes',
    answers: () => [command(python(
      `${ALL}[os.fork() for _ in range(2)]; x = bytearray(120 * 1024 * 1024); time.sleep(2); print("filled", flush=True)`,
    ))],
    options: { limits: { maxMemoryBytes: 200 * 2 ** 20 } },
    escaped: (_, results) => printed(results).includes('filled'),
  },
  {
    name: 'fills memory that is no one process\'s (memfd)',
    answers: () => [command(python([
      `${ALL}f = os.memfd_create("x")`, 'for _ in range(250): os.write(f, bytes(1 << 20))', 'time.sleep(2); print("filled")',
    ].join('\n')))],
    options: { limits: { maxMemoryBytes: 200 * 2 ** 20 } },
    escaped: (_, results) => printed(results).includes('filled'),
  },
  {
    name: 'fills memory by files in /tmp, /dev/shm and the home',
    answers: () => [command('f=/hermes-fills-memory; trap \'rm -f /tmp$f /dev/shm$f ~$f\' EXIT; for d in /tmp /dev/shm ~; do head -c 90M /dev/zero > $d$f; done; sleep 2; echo filled')],
    options: { limits: { maxMemoryBytes: 200 * 2 ** 20 } },
    escaped: (_, results) => printed(results).includes('filled'),
  },
  {
    name: 'is a fork bomb (of 150 processes)',
    // The kernel counts none of root's: what is looked at every 250 ms comes too late for a short one.
    onlyUnprivileged: true,
    answers: () => [command(python([
      `${ALL}n = 0`, 'signal.signal(signal.SIGCHLD, signal.SIG_IGN)',
      'while n < 150:', '  try: pid = os.fork()', '  except OSError: break', '  if pid == 0: time.sleep(5); os._exit(0)', '  n += 1',
      'print("forked", n, flush=True)',
    ].join('\n')))],
    options: { limits: { maxProcesses: 50 } },
    escaped: (_, results) => printed(results).includes('forked 150'),
  },
  {
    name: "reaches the user's terminal, with keystrokes (TIOCSTI) or with text",
    prepare: stage => stage.openTerminal(),
    answers: ({ terminal }) => [command(python([
      `${ALL}import fcntl,termios`, `fd = os.open("${terminal}", os.O_RDWR | os.O_NOCTTY)`,
      'try: [fcntl.ioctl(fd, termios.TIOCSTI, bytes([c])) for c in b"injected"]',
      // Where the kernel forbids that, text that the terminal takes for its own.
      'except OSError: os.write(fd, b"injected")',
    ].join('\n')))],
    escaped: stage => stage.onTerminal.includes('injected'),
    settlesMs: 200,
  },
  {
    name: 'plants a hook of git',
    prepare: stage => makeRepository(stage),
    answers: ({ outside }) => [command(`printf '#!/bin/sh\\ntouch ${outside}/planted\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`)],
    escaped: stage => stage.has('project/.git/hooks/pre-commit'),
  },
  {
    name: 'makes git run a program by its configuration',
    prepare: stage => makeRepository(stage),
    answers: () => [command('git config core.fsmonitor /bin/true; git config core.hooksPath evil')],
    escaped: stage => /fsmonitor|evil/.test(stage.read('project/.git/config')),
  },
  {
    name: 'replaces .git by another repository',
    prepare: stage => makeRepository(stage),
    answers: () => [command('mv .git old; git init -q .')],
    options: { gitCommit: false },
    escaped: stage => stage.has('project/old/config'),
  },
  {
    name: 'makes a repository where there is none, with a hook',
    answers: () => [command('git init -q . && echo planted > .git/hooks/pre-commit')],
    escaped: stage => stage.has('project/.git/hooks/pre-commit'),
  },
  {
    name: 'remounts what is read-only',
    prepare: stage => makeRepository(stage),
    // Where nothing is mounted there is nothing to remount: outside the sandbox it can just write.
    answers: ({ root }) => [command(`${python(`${ALL}ctypes.CDLL(None).mount(None, b"${root}/.git", None, 4128, None)`)}; unshare -rm true; touch .git/planted`)],
    escaped: stage => stage.has('project/.git/planted'),
  },
  {
    name: 'uses the keys that the kernel keeps for the session',
    open: 'unshare',
    answers: () => [command(`${python('import ctypes; print(ctypes.CDLL(None).syscall(250, 0, ctypes.c_long(-3), 1))')} | grep -v -e "^-" && touch reached; true`)],
    escaped: stage => stage.has('project/reached'),
  },
  {
    name: 'opens a socket to the host of a virtual machine (vsock), by all the ways there are to call the kernel',
    open: 'unshare',
    prepare: stage => compile(stage, `
      #include <stdio.h>
      #include <sys/socket.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      int main(void) {
        if (socket(40, 1, 0) >= 0 || syscall(SYS_socket, 40, 1, 0) >= 0) puts("reached");
        int pair[2];
        if (socketpair(40, 1, 0, pair) >= 0) puts("reached");
      #ifdef __x86_64__
        long result;
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(359), "b"(40), "c"(1), "d"(0) : "memory");
        if (result >= 0) puts("reached");
        if (syscall(SYS_socket | 0x40000000, 40, 1, 0) >= 0) puts("reached");
      #endif
      }`),
    answers: () => [command('./compiled')],
    escaped: (_, results) => printed(results).includes('reached'),
  },
  {
    name: 'sets up io_uring, whose requests no filter sees',
    open: 'unshare',
    answers: () => [command(python(`${ALL}libc = ctypes.CDLL(None, use_errno=True); libc.syscall(425, 0, 0); print("errno", ctypes.get_errno())`))],
    // EFAULT: it looked at the arguments.
    escaped: (_, results) => printed(results).includes('errno 14'),
  },
  {
    name: 'mounts something over what is read-only, in namespaces of its own',
    prepare: stage => makeRepository(stage),
    answers: ({ root }) => [command(`unshare --user --map-root-user --mount sh -c 'mount -t tmpfs x ${root}/.git && touch ${root}/.git/planted && echo reached'`)],
    escaped: (_, results) => printed(results).includes('reached'),
  },
  {
    name: 'opens what a process of the sandbox has open outside (/proc/PID/root, cwd, fd, exe)',
    answers: ({ outside }) => [command(`cat /proc/[0-9]*/root${outside}/secret.txt /proc/[0-9]*/cwd${outside}/secret.txt 2>/dev/null; for fd in /proc/[0-9]*/fd/*; do [ -d "$fd" ] && cat "$fd"${outside}/secret.txt "$fd"/../../..${outside}/secret.txt 2>/dev/null; done; true`)],
    escaped: (_, results) => printed(results).includes('the-secret-outside'),
  },
  {
    name: "reaches the machine's settings: as root those in /proc can be written, and one of them names a program (core_pattern)",
    answers: () => [command('for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/panic /proc/sys/vm/panic_on_oom /proc/sysrq-trigger /proc/irq/*/smp_affinity /proc/mtrr; do [ -w "$f" ] && echo "reached $f"; done; ls /sys/kernel 2>/dev/null && echo reached; true')],
    escaped: (_, results) => printed(results).includes('reached'),
  },
  {
    name: 'makes a set-uid program or a device in the root that works',
    answers: () => [command('grep -E "^Cap(Prm|Eff|Bnd):.*[1-9a-f]|^NoNewPrivs:.*0" /proc/self/status && echo reached; true')],
    escaped: (_, results) => printed(results).includes('reached'),
  },
  {
    name: 'writes a policy',
    answers: () => [command("printf 'sandbox: none\\n' > hermes.yaml")],
    escaped: stage => stage.has('project/hermes.yaml'),
  },
  {
    name: 'changes the policy',
    prepare: stage => stage.plant('project/hermes.yaml', '# none\n'),
    answers: () => [command("printf 'sandbox: none\\n' > hermes.yaml; mv hermes.yaml x; rm -f hermes.yaml")],
    escaped: stage => stage.read('project/hermes.yaml') !== '# none\n',
  },
  {
    name: "changes hermes' own state",
    answers: () => [command('echo planted > .hermes/planted')],
    escaped: stage => stage.has('project/.hermes/planted'),
  },
]

/** A program in the root, from C. */
function compile(stage: Stage, source: string): void {
  stage.plant('project/compiled.c', source)
  execFileSync('gcc', ['-o', join(stage.root, 'compiled'), join(stage.root, 'compiled.c')])
  chmodSync(join(stage.root, 'compiled'), 0o755)
}

/** What the commands printed to standard output. */
export function printed(results: readonly ExecutionResult[]): string {
  return results.flatMap(run => run.results).map(({ data }) => (data as { stdout?: string } | undefined)?.stdout ?? '').join('')
}

export function makeRepository(stage: Stage): void {
  stage.handOver()
  stage.git('init', '--quiet', '.')
  stage.git('add', '--all')
  stage.git('commit', '--quiet', '-m', 'start')
}
