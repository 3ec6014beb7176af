/** What a trace of `strace -f -y` shows of files: which were opened, started or looked for, by whom. */
import { basename, resolve } from 'node:path'

/** The traced system calls: those that take names of files, and those that make processes and namespaces. */
export const TRACED = '%file,clone,clone3,fork,vfork,unshare,setns'
/** They change or name a place, and load nothing. */
const NO_LOOKUPS = new Set([
  'chdir', 'chmod', 'chown', 'fchmodat', 'fchownat', 'getcwd', 'lchown', 'link', 'linkat', 'mkdir', 'mkdirat', 'mknod',
  'mknodat', 'mount', 'pivot_root', 'rename', 'renameat', 'renameat2', 'rmdir', 'symlink', 'symlinkat', 'umount2',
  'unlink', 'unlinkat', 'utimensat',
])
const MAKES_PROCESS = /^(?:clone3?|v?fork)$/
const CALL = /^(\d+) +(\w+)\((?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?"((?:[^"\\]|\\.)*)"(.*)$/
const FORK = /^(\d+) +(clone3?|v?fork)\((.*)$/
const RESUMED = /^(\d+) +<\.\.\. (clone3?|v?fork) resumed>.*= (\d+)/
const NAMESPACE = /^(\d+) +(?:unshare|setns)\(.*CLONE_NEWNS/
const ARGUMENTS = /^, \[(.*?)\](?:\.\.\.)?, 0x/
/** What is new in each run is none. */
const WORD = /^[a-z][a-z.-]*$/i
/** Options of git before its command. */
const TAKES_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree'])
const CHANGED = /^(\d+) +(?:chdir|fchdir)\((?:\d+<([^>]*)>|"((?:[^"\\]|\\.)*)")\)? += 0/

/**
 * Paths that processes outside of a sandbox opened or looked for, whether they were there or not. A process is in a
 * sandbox once it, or one that it comes of, has a namespace of mounts of its own.
 *
 * @param {string} trace
 * @param {string} cwd of the first process
 * @returns {{ looked: Map<string, Set<string>>, listed: Map<string, Set<string>> }} by absolute path the programs that
 *   looked there, as `programOf` names them; `listed` are directories whose entries may be read
 */
export function tracedPaths(trace, cwd) {
  const processes = new Map()
  const pending = new Map()
  const looked = new Map()
  const listed = new Map()
  const of = (pid) => {
    const known = processes.get(pid) ?? { cwd, isInside: false, program: '' }
    processes.set(pid, known)
    return known
  }
  const born = (parent, child, isInside) => {
    // What the child did may stand before the end of the call that made it.
    const { cwd: where, isInside: wasInside, program } = of(parent)
    const known = processes.get(child)
    processes.set(child, {
      cwd: known?.cwd ?? where, isInside: isInside || wasInside || (known?.isInside ?? false),
      program: known?.program || program,
    })
  }
  const lines = trace.split('\n')
  // Once for who makes whom, so that a child that is seen first is known for what it is.
  for (const line of lines) {
    const [, resumed, , made] = RESUMED.exec(line) ?? []
    if (resumed !== undefined) {
      born(resumed, made, pending.get(resumed) ?? false)
      continue
    }
    const [, pid, , rest = ''] = FORK.exec(line) ?? []
    if (pid !== undefined) {
      const isInside = rest.includes('CLONE_NEWNS')
      const [, child] = /= (\d+)/.exec(rest) ?? []
      if (child === undefined) pending.set(pid, isInside)
      else born(pid, child, isInside)
      continue
    }
    const [, entering] = NAMESPACE.exec(line) ?? []
    if (entering !== undefined) of(entering).isInside = true
    const [, moved, byDescriptor, byName] = CHANGED.exec(line) ?? []
    if (moved !== undefined) of(moved).cwd = resolve(of(moved).cwd, byDescriptor ?? byName)
    const [, who, name, base, path, more] = CALL.exec(line) ?? []
    if (who === undefined || NO_LOOKUPS.has(name) || MAKES_PROCESS.test(name) || of(who).isInside) continue
    if (path === '' || path.includes('\\') || /O_WRONLY|O_CREAT/.test(more)) continue
    const absolute = resolve(base ?? of(who).cwd, path)
    const isThere = !more.includes(' = -1')
    // Of what is started, it is the new program whose file was looked at, not the one that starts it.
    if (name === 'execve' && isThere) of(who).program = programOf(path, ARGUMENTS.exec(more)?.[1] ?? '')
    note(looked, absolute, of(who).program)
    if (more.includes('O_DIRECTORY') && isThere) note(listed, absolute, of(who).program)
  }
  return { looked, listed }
}

function note(seen, path, program) {
  seen.set(path, (seen.get(path) ?? new Set()).add(program))
}

/** By its name and its first argument that is a word, such as `git status`; all of hermes is `node cli.cjs`. */
function programOf(path, list) {
  const words = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word).slice(1)
  const named = words.filter((_, index) => !TAKES_VALUE.has(words[index - 1])).map((word) => basename(word))
  return [basename(path), ...named.filter((word) => WORD.test(word)).slice(0, 1)].join(' ')
}
