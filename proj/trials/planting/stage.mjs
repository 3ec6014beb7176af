/** A machine in small, in which hermes is installed: a home, a project, a directory for `--allow`, and the marks. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync, copyFileSync, existsSync, lchownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync,
  readFileSync, realpathSync, renameSync, rmSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { BESIDE, canaries } from './canaries.mjs'

/** `nobody`: as root a sandbox shows less of what it holds. */
const NOBODY = 65534
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin', dirname(process.execPath)]
/** Where the package lies in the project: too large to be copied for each play. */
const INSTALLED = ['node_modules', 'tools']
/** Of the project and the directory beside it, where `PATH` looks first. */
const PROGRAMS = ['node_modules/.bin', '.venv/bin', 'scripts', '.', '']

export class Stage {
  /** @param {(directory: string) => import('./layouts.mjs').LaidOut} install lays hermes out */
  constructor(install) {
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-planting-')))
    chmodSync(this.directory, 0o755)
    this.home = join(this.directory, 'home')
    this.outside = join(this.directory, 'outside')
    this.allowed = join(this.directory, 'allowed')
    mkdirSync(this.home)
    mkdirSync(this.outside)
    mkdirSync(join(this.allowed, 'bin'), { recursive: true })
    this.marks = join(this.outside, 'marks')
    this.laidOut = install(this.directory)
    this.project = this.laidOut.project
    this.within = join(this.laidOut.cwd, 'marks-within')
    this.canaryOf = canaries(this.marks, this.within, join(this.outside, 'canaries'))
    this.identity = process.getuid?.() === 0 && canRunAs(NOBODY) ? { uid: NOBODY, gid: NOBODY } : {}
    this.systemPath = SYSTEM.join(delimiter)
    this.env = this.#environment()
    this.#furnish()
  }

  #environment() {
    const { cwd } = this.laidOut
    const first = [cwd, this.project].flatMap((base) => PROGRAMS.map((name) => join(base, name)))
    const PATH = new Set([...first, ...PROGRAMS, join(this.allowed, 'bin'), ...SYSTEM])
    return {
      PATH: [...PATH].join(delimiter), HOME: this.home, LANG: 'C.UTF-8', DISPLAY: ':99', EDITOR: 'true', NO_COLOR: '1',
      VIRTUAL_ENV: join(cwd, '.venv'), OPENAI_API_KEY: 'none', npm_config_offline: 'true', npm_config_audit: 'false',
      npm_config_update_notifier: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error',
    }
  }

  #furnish() {
    const { cwd } = this.laidOut
    const settings = '[user]\n\tname = a\n\temail = a@example.org\n[safe]\n\tdirectory = *\n'
    writeFileSync(join(this.home, '.gitconfig'), settings)
    writeFileSync(join(this.allowed, 'allowed.txt'), 'text\n')
    const files = {
      'greet.ts': 'export function greet(): void {}\ngreet()\n', 'README.md': '# A project\n',
      'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n', '.gitattributes': '*.bin binary\n',
      'skills/greeting/SKILL.md': '---\nname: greeting\ndescription: How people are greeted.\n---\nHello.\n',
      'hermes.yaml': 'limits:\n  blocks: 500\n', 'notes.txt': 'one\ntwo\nthree\n',
    }
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      writeFileSync(join(cwd, name), content)
    }
    writeFileSync(join(this.project, '.gitignore'), `node_modules\ntools\n.hermes\n${BESIDE}\nmarks-within\n`)
  }

  /** Gives all to the user, and keeps the project as it is now for `reset`. */
  keep() {
    this.handOver(this.directory)
    const kept = join(this.directory, 'kept')
    rmSync(kept, { recursive: true, force: true })
    mkdirSync(kept)
    copyTree(this.project, join(kept, 'project'), INSTALLED)
    for (const name of ['allowed', 'home']) copyTree(join(this.directory, name), join(kept, name), ['.npm'])
    for (const name of INSTALLED) {
      if (existsSync(join(this.project, name))) copyTree(join(this.project, name), join(kept, 'installed', name), [])
    }
    this.handOver(kept)
    this.asInstalled = this.#installed()
  }

  /** All is as it was kept but for what is installed. Copies of packages are gone, so that hermes looks again. */
  reset() {
    const kept = join(this.directory, 'kept')
    for (const [place, name, left] of [
      [this.project, 'project', INSTALLED], [this.allowed, 'allowed', []], [this.home, 'home', ['.npm']],
    ]) {
      for (const entry of readdirSync(place)) {
        if (!left.includes(entry)) rmSync(join(place, entry), { recursive: true, force: true })
      }
      execFileSync('cp', ['-a', `${join(kept, name)}/.`, place])
    }
    writeFileSync(this.marks, '')
    chmodSync(this.marks, 0o666)
  }

  /** Also what `reset` leaves alone, where a play changed it: most do not, and it is large. */
  restoreInstalled() {
    if (this.#installed() === this.asInstalled) return
    for (const name of INSTALLED) {
      rmSync(join(this.project, name), { recursive: true, force: true })
      const kept = join(this.directory, 'kept', 'installed', name)
      if (existsSync(kept)) execFileSync('cp', ['-a', kept, join(this.project, name)])
    }
    this.asInstalled = this.#installed()
  }

  /** Tells every change of a file, by whoever made it. */
  #installed() {
    const lines = []
    for (const name of INSTALLED.map((one) => join(this.project, one)).filter(existsSync)) {
      const all = isDirectory(name) ? readdirSync(name, { recursive: true, encoding: 'utf8' }).sort() : []
      for (const below of ['', ...all]) {
        const found = lstatSync(join(name, below))
        const content = found.isDirectory() ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
        lines.push(`${below} ${found.mode} ${found.uid} ${content}`)
      }
    }
    return lines.join('\n')
  }

  handOver(directory) {
    if (this.identity.uid === undefined) return
    const all = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name))
    for (const path of [directory, ...all]) lchownSync(path, NOBODY, NOBODY)
  }

  /** As a user in the working directory. @throws Error where it fails */
  git(...args) {
    execFileSync('git', args, { ...this.identity, cwd: this.project, env: { ...this.env, PATH: this.systemPath } })
  }

  /** Whether it lies where runs write, and is no directory. */
  isPlace(path) {
    if (![this.project, this.allowed].some((base) => path.startsWith(base + sep)) || path === this.within) return false
    return !isDirectory(path)
  }

  /** Whether it is a part of hermes' own package, which only its installation writes. */
  isOwn(path) {
    return path === this.laidOut.place || path.startsWith(this.laidOut.place + sep)
  }

  /**
   * Puts a canary there, in the place of the file that may be there.
   *
   * @returns what takes it away again; `undefined` where none can be put: a directory, or below a file
   */
  plant(path) {
    const { kind, content } = this.canaryOf(path)
    const made = []
    try {
      if (isDirectory(path)) return undefined
      for (let here = dirname(path); !existsSync(here); here = dirname(here)) made.push(here)
      mkdirSync(dirname(path), { recursive: true })
    } catch (error) {
      if (error.code === 'ENOTDIR' || error.code === 'EEXIST' || error.code === 'ELOOP') return undefined
      throw error
    }
    const aside = join(this.directory, `aside-${process.hrtime.bigint()}`)
    const wasThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (wasThere) renameSync(path, aside)
    writeFileSync(path, content, { mode: 0o755 })
    const beside = kind === 'json' ? join(dirname(path), BESIDE) : undefined
    if (beside) copyFileSync(join(this.outside, 'canaries', BESIDE), beside)
    for (const one of [path, ...made, ...beside ? [beside] : []]) this.#own(one)
    return () => {
      for (const one of [path, ...beside ? [beside] : [], ...made.slice(-1)]) {
        rmSync(one, { recursive: true, force: true })
      }
      if (wasThere) {
        mkdirSync(dirname(path), { recursive: true })
        renameSync(aside, path)
      }
    }
  }

  #own(path) {
    if (this.identity.uid !== undefined) lchownSync(path, NOBODY, NOBODY)
  }

  /** Lines of what ran outside of a sandbox, and of what ran in one. */
  fired() {
    const lines = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
    return { outside: lines(this.marks), within: lines(this.within) }
  }

  /** Without the temporary directory's name. */
  nameOf(path) {
    return relative(this.directory, path)
  }

  nameIn(line) {
    return line.replaceAll(`${this.directory}/`, '')
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

function copyTree(from, to, without) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (!without.includes(name)) execFileSync('cp', ['-a', join(from, name), join(to, name)])
  }
}

/** A link to one is none. */
function isDirectory(path) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    if (error.code === 'ENOTDIR') return false
    throw error
  }
}

function canRunAs(uid) {
  return spawnSync(process.execPath, ['--version'], { uid, gid: uid, cwd: '/', env: {} }).status === 0
}
