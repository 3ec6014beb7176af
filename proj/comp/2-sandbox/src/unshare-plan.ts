import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { hostMounts, mountOf, type HostMount } from './mount-table.js'
import { inOrder, OWN_FILE_SYSTEMS, type Mount } from './mounts.js'
import { closedOfProcesses } from './system-mounts.js'

/** Where the new root is built: no root of a user's lies here, and it is there wherever Linux runs. */
export const NEW_ROOT = '/sys'
/** Devices that every program may use. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty']
const DEVICE_LINKS = [['fd', '/proc/self/fd'], ['stdin', '/proc/self/fd/0'], ['stdout', '/proc/self/fd/1'],
  ['stderr', '/proc/self/fd/2'], ['core', '/proc/kcore'], ['ptmx', 'pts/ptmx']] as const
const NOTHING = '/dev/null'

type Step = readonly [name: string, ...words: string[]]

/** A sandbox of `Mount`s as steps for `unshare-script.ts`: the same that bubblewrap makes of them. */
export function unsharePlan(mounts: readonly Mount[], machine: Machine, terminal: boolean): Step[] {
  const plan = new Plan(machine)
  for (const mount of inOrder([...OWN_FILE_SYSTEMS, ...mounts])) {
    // Closed for everybody, where the new file system of processes is made: it has no other mounted in it.
    if (mount.kind !== 'read' || !isInside('/proc', mount.at)) plan.add(mount)
  }
  return plan.steps(terminal)
}

/** What of the machine decides how things are mounted. */
export interface Machine {
  mounts: readonly HostMount[]
  /** What is read-only below `/proc`. */
  closed: readonly string[]
}

export function thisMachine(): Machine {
  return { mounts: hostMounts(), closed: closedOfProcesses() }
}

class Plan {
  /** What is made of the mounts so far, outer before inner. */
  readonly #made: Mount[] = []
  /** Done before anything is mounted. */
  readonly #directories = new Set<string>([`${NEW_ROOT}/tmp`])
  readonly #first: Step[] = []
  readonly #steps: Step[] = []
  /** Made before the table is mounted, in directories in memory that stand already. */
  #before: Step[] = []
  #table: string[] = []
  readonly #readonly = new Set<string>()
  readonly #writable = new Set<string>()
  /** What came along with a directory that is shown, by where it is now: file systems of the machine. */
  readonly #submounts = new Map<string, string>()

  constructor(private readonly machine: Machine) {}

  steps(terminal: boolean): Step[] {
    this.#flush()
    return [
      ['directories', ...this.#directories], ...this.#first, ...this.#steps,
      ...(terminal ? [['terminal', `${NEW_ROOT}/dev/console`] as const] : []),
      ['readonly', '/', ...[...this.#readonly].map(escaped)],
      ['writable', ...[...this.#writable, ...(terminal ? ['/dev/console'] : [])].map(escaped)],
    ]
  }

  add(mount: Mount): void {
    switch (mount.kind) {
      case 'read': case 'write': this.#bind(mount.at, mount.from, mount.kind === 'read'); break
      case 'blank': this.#bind(mount.at, NOTHING, true); break
      case 'memory': this.#memory(mount.at, mount.bytes); break
      case 'link': this.#early(mount.at, ['link', NEW_ROOT + mount.at, mount.target]); break
      case 'text': this.#early(mount.at, ['file', NEW_ROOT + mount.at, mount.text]); break
      case 'processes': this.#processes(mount.at); break
      case 'devices': this.#devices(mount.at); break
    }
    this.#made.push(mount)
  }

  /** What stands in the root itself, or in a directory in memory. */
  #early(at: string, step: Step): void {
    const holder = this.#holderOf(at)
    if (holder === undefined || holder.kind === 'devices') {
      this.#directories.add(NEW_ROOT + dirname(at))
      this.#first.push(step)
    } else if (holder.kind === 'memory') {
      if (this.#isWaiting(holder.at)) this.#flush()
      this.#before.push(['directories', NEW_ROOT + dirname(at)], step)
    } else throw unbuildable(at)
  }

  #bind(at: string, from: string, isReadOnly: boolean): void {
    const below = this.machine.mounts.filter(mount => mount.at !== from && isInside(from, mount.at))
    const flags = (path: string, isKept: boolean) => this.#flags(path, ['nosuid', 'nodev', ...(isKept ? ['ro'] : [])])
    if (this.#submounts.get(at) !== from) {
      const kind = below.length > 0 ? 'rbind' : 'bind'
      const makes = this.#placeFor(at, from)
      this.#table.push(row(from, at, 'none', `${kind},${flags(from, isReadOnly)}${makes}`))
      this.#note(at, isReadOnly)
      if (below.length === 0) return
      this.#flush()
    } else {
      // It came along with what is around it, and `mount` passes over what is mounted already.
      this.#flush()
      this.#remount(at, flags(from, isReadOnly), isReadOnly)
    }
    for (const mount of below) {
      const place = at + mount.at.slice(from === '/' ? 0 : from.length)
      this.#remount(place, flags(mount.at, isReadOnly), isReadOnly)
      this.#submounts.set(place, mount.at)
    }
  }

  /** The flags of what is mounted there on this machine, which no namespace of a user's may take away, and more. */
  #flags(path: string, more: readonly string[]): string {
    return [...new Set([...mountOf(this.machine.mounts, path)?.flags ?? [], ...more])].join(',')
  }

  #remount(at: string, flags: string, isReadOnly: boolean): void {
    this.#steps.push(['remount', NEW_ROOT + at, `remount,bind,${flags}`])
    this.#note(at, isReadOnly)
  }

  /** What was mounted last at a place counts. */
  #note(at: string, isReadOnly: boolean): void {
    this.#readonly.delete(at)
    this.#writable.delete(at)
    ;(isReadOnly ? this.#readonly : this.#writable).add(at)
  }

  #memory(at: string, bytes: number): void {
    const makes = this.#placeFor(at, undefined)
    this.#table.push(row('tmpfs', at, 'tmpfs', `nosuid,nodev,mode=755,size=${bytes}${makes}`))
    this.#note(at, false)
  }

  #processes(at: string): void {
    this.#table.push(row('proc', at, 'proc', `nosuid,nodev,noexec${this.#placeFor(at, undefined)}`))
    this.#note(at, false)
    this.#flush()
    this.#steps.push(['namespaces', `${NEW_ROOT}${at}/sys/user/max_user_namespaces`])
    for (const path of this.machine.closed) {
      this.#table.push(row(NEW_ROOT + path, path, 'none', 'bind,ro,nosuid,nodev,noexec'))
      this.#note(path, true)
    }
  }

  #devices(at: string): void {
    this.#directories.add(NEW_ROOT + at).add(`${NEW_ROOT}${at}/pts`)
    for (const [name, target] of DEVICE_LINKS) this.#first.push(['link', `${NEW_ROOT}${at}/${name}`, target])
    for (const name of DEVICES) {
      this.#first.push(['file', `${NEW_ROOT}${at}/${name}`, ''])
      const flags = this.#flags(`/dev/${name}`, ['nosuid', 'noexec'])
      this.#table.push(row(`/dev/${name}`, `${at}/${name}`, 'none', `bind,${flags}`))
      this.#note(`${at}/${name}`, false)
    }
    this.#first.push(['file', `${NEW_ROOT}${at}/console`, ''])
    this.#table.push(row('devpts', `${at}/pts`, 'devpts', 'newinstance,ptmxmode=0666,mode=620,nosuid,noexec'))
    this.#note(`${at}/pts`, false)
  }

  /**
   * Sees to it that there is something to mount on.
   *
   * @param from a directory is mounted on a directory, and a file on a file
   * @returns an option that lets `mount` make the directory: never in a directory of the machine
   */
  #placeFor(at: string, from: string | undefined): string {
    const holder = this.#holderOf(at)
    if (holder?.kind === 'link') throw unbuildable(at)
    const isInMemory = holder === undefined || holder.kind === 'memory' || holder.kind === 'devices'
    if (!isInMemory) return ''
    if (from === undefined || statSync(from).isDirectory()) return ',X-mount.mkdir'
    this.#early(at, ['file', NEW_ROOT + at, ''])
    return ''
  }

  #holderOf(path: string): Mount | undefined {
    return this.#made.findLast(({ at }) => at !== path && isInside(at, path))
  }

  /** Whether a directory in memory is still to be mounted. */
  #isWaiting(at: string): boolean {
    return this.#table.some(line => line.startsWith(`tmpfs ${encoded(NEW_ROOT + at)} `))
  }

  #flush(): void {
    const directories = this.#before.flatMap(([name, ...words]) => (name === 'directories' ? words : []))
    if (directories.length > 0) this.#steps.push(['directories', ...new Set(directories)])
    this.#steps.push(...this.#before.filter(([name]) => name !== 'directories'))
    if (this.#table.length > 0) this.#steps.push(['mounts', this.#table.join('')])
    this.#before = []
    this.#table = []
  }
}

/** A line of `mount --fstab`. */
function row(from: string, at: string, type: string, options: string): string {
  return `${encoded(from)} ${encoded(NEW_ROOT + at)} ${type} ${options} 0 0\n`
}

/** All but plain characters as octal numbers of their bytes. */
function encoded(path: string): string {
  return path.replace(/[^\w/.+@:%~,-]/gu, octal)
}

/** As the kernel writes paths in `/proc/self/mountinfo`. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\\]/g, octal)
}

function octal(character: string): string {
  return [...Buffer.from(character)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function unbuildable(at: string): HermesError {
  return new HermesError('POLICY_DENIED', `${at} cannot be shown in this sandbox`, {
    hint: 'Ask the user to install bubblewrap, or to start hermes without a PATH entry that leads there by a link.',
  })
}
