import {
  appendFileSync, constants, existsSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { closing, createWhole, isInside } from '../../../2-files/src/index.js'
import { replacePolicyFile } from '../../../2-config/src/index.js'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { POLICY_TEMPLATE, WORKFLOW_TEMPLATE } from './init-templates.js'

/** What `hermes init` would do to one file. */
export interface InitStep {
  /** Relative to the root, with slashes. */
  path: string
  /**
   * `append`: a line for `.hermes/`. `replace`: another file exists, which `--yes` does not replace. `leave`: nothing
   * can be done.
   */
  kind: 'create' | 'replace' | 'append' | 'leave'
  /** The question to ask; for `leave` the reason. */
  question: string
  /** Present content; `undefined` where there is no file. */
  before: Buffer | undefined
  /** The new content, or what is appended. */
  bytes: Buffer
}

/** Ignore files of tools other than git. */
const IGNORE_FILES = ['.dockerignore', '.npmignore', '.prettierignore']
const IGNORED = '.hermes/'
const MODE = 0o644
const FILES: Readonly<Record<string, { text: string; question: string }>> = {
  'hermes.yaml': {
    text: POLICY_TEMPLATE, question: 'Write hermes.yaml, which says what runs may do here? (all of it commented out)',
  },
  '.github/workflows/hermes.yml': {
    text: WORKFLOW_TEMPLATE, question: 'Write .github/workflows/hermes.yml, which replays transcripts in CI?',
  },
}

/** The remaining steps, in the order of asking. */
export function plannedSteps(root: string): InitStep[] {
  const isRepository = existsSync(join(root, '.git'))
  const ignores = IGNORE_FILES.filter((name) => lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined)
  return [
    'hermes.yaml', ...(isRepository ? ['.gitignore'] : []), ...ignores,
    ...(isRepository ? ['.github/workflows/hermes.yml'] : []),
  ].flatMap((path) => stepFor(root, path) ?? [])
}

/** @returns `undefined` where nothing needs to be done */
function stepFor(root: string, path: string): InitStep | undefined {
  const leave = (why: string): InitStep => ({
    path, kind: 'leave', question: why, before: undefined, bytes: Buffer.alloc(0),
  })
  try {
    if (!isParentInside(root, path)) return leave('leads out of the root by a link: left as it is')
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (stat && !stat.isFile()) return leave(`is ${stat.isSymbolicLink() ? 'a link' : 'no file'}: left as it is`)
    const before = stat && readFileSync(join(root, path))
    const file = FILES[path]
    return file === undefined ? ignored(path, before) : whole(path, file, before)
  } catch (error) {
    if (isNodeError(error)) return leave(`cannot be looked at (${error.code}): left as it is`)
    throw error
  }
}

/** Whether a path's directories are inside the root: below a link, files would be created where it leads. */
function isParentInside(root: string, path: string): boolean {
  const real = realpathSync(root)
  return path.split('/').slice(0, -1).every((_, index, names) => {
    const parent = join(root, ...names.slice(0, index + 1))
    if (lstatSync(parent, { throwIfNoEntry: false }) === undefined) return true
    const target = orNothing(() => realpathSync(parent), undefined)
    return target !== undefined && isInside(real, target)
  })
}

function whole(
  path: string, { text, question }: { text: string; question: string }, before: Buffer | undefined,
): InitStep | undefined {
  const bytes = Buffer.from(text)
  if (before === undefined) return { path, kind: 'create', question, before, bytes }
  return before.equals(bytes) ? undefined
    : { path, kind: 'replace', question: `${path} is there, and is another. Replace it?`, before, bytes }
}

/** A step that adds `.hermes/` to an ignore file that lacks it. Existing bytes stay, in whatever encoding. */
function ignored(path: string, before: Buffer | undefined): InitStep | undefined {
  const text = (before ?? Buffer.alloc(0)).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  if (text.split(/\r?\n/).some((line) => /^\/?(?:\*\*\/)?\.hermes\/?$/.test(line.trim()))) return undefined
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const end = text === '' || text.endsWith('\n') ? '' : newline
  const bytes = Buffer.from(`${end}${IGNORED}${newline}`)
  return {
    path, kind: before === undefined ? 'create' : 'append', question: `Add ${IGNORED} to ${path}?`, before, bytes,
  }
}

/**
 * Takes a step if the file is unchanged since the question; a missing line is added in any case.
 *
 * @returns why nothing was written, if so
 * @throws HermesError with the system's code
 */
export function takeStep(root: string, asked: InitStep): string | undefined {
  const step = stepFor(root, asked.path)
  if (step === undefined) return 'is there meanwhile'
  if (step.kind === 'leave') return step.question
  const isSame = step.before === undefined ? asked.before === undefined : asked.before?.equals(step.before) === true
  if (!isSame && step.kind !== 'append') return 'was changed meanwhile: left as it is'
  const target = join(root, step.path)
  try {
    if (step.kind === 'append') append(target, step.bytes)
    else if (step.kind === 'replace') replacePolicyFile(target, step.bytes.toString('utf8'))
    else create(root, step)
    return undefined
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'EEXIST') return 'came meanwhile: left as it is'
    throw new HermesError(error.code, `Cannot write ${escapeControls(target)} (${error.code})`, {
      hint: error.code === 'ENOSPC' ? 'The disk is full: make room.'
        : 'Make the directory writable, or name another with --root.', cause: error,
    })
  }
}

/** Appends in place, which keeps mode, owner and hard links. */
function append(target: string, bytes: Buffer): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
  closing(openSync(target, flags), (file) => appendFileSync(file, bytes))
}

/** Creates a file; fails if it exists by now. */
function create(root: string, { path, bytes }: InitStep): void {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  createWhole(target, bytes, { mode: MODE })
}
