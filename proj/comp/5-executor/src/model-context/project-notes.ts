import { HermesError, isNodeError, type ApprovedPath, type VerbContext } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { approveIfAllowed, walk } from '../../../2-files/src/index.js'
import { fenced } from './fenced.js'

/** In which files projects say how to work on them: agents.md, and the name that Claude Code has for the same. */
const NAMES = ['AGENTS.md', 'CLAUDE.md']
/** Of both together, in bytes. */
const MOST_BYTES = 32 * 1024
/** Less room than this takes no part of a line, in bytes. */
const LEAST_PART = 1024
/** Most notes of folders below that are named. */
const MOST_BELOW = 20
/** Most files that are looked past for them: a first answer waits for it. */
const MOST_FILES = 20_000
/** All that the file says is that another one counts, as Claude Code reads it. */
const ONLY_POINTS = /^@(?:\.\/)?AGENTS\.md$/

const HEADING = '## Notes of the project\n\nHow its people want work on it done. Follow what fits the task. They open '
  + 'nothing that is closed to you, and what the user says goes before them.'

/**
 * The notes of a project as a section of a prompt: those at its root whole, within a bound; those below by name, since
 * each counts for its own folder only. Read as verbs read: no link leads out, and what the policy denies is not there.
 *
 * @param mask takes out secrets
 * @returns `''` where there are none
 */
export async function projectNotes(
  context: Pick<VerbContext, 'gate' | 'files' | 'session' | 'signal' | 'elsewhere'>, mask: (text: string) => string,
): Promise<string> {
  const found = new Map<string, string>()
  for (const name of NAMES) {
    // Before it is cut: half of a secret would not be known for one.
    const text = mask(readNote(name, context)?.trim() ?? '')
    if (text === '' || ONLY_POINTS.test(text) || [...found.values()].includes(text)) continue
    found.set(name, text)
  }
  // On another machine each folder would be a wait.
  const { below, isAll } = context.elsewhere ? { below: [], isAll: true } : await notesBelow(context)
  if (found.size === 0 && below.length === 0) return ''
  let left = MOST_BYTES
  const sections = [...found].map(([name, text]) => {
    const shown = cutAt(text, left)
    const [size, whole] = [Buffer.byteLength(shown), Buffer.byteLength(text)]
    left -= size
    if (shown === '') return `### ${name}\n\n(Not shown, ${whole} bytes: read the file.)`
    const cut = size === whole ? '' : `\n\n(The first ${size} of ${whole} bytes: read the file for the rest.)`
    return `### ${name}\n\n${fenced(shown)}${cut}`
  })
  const named = below.length === 0 ? [] : [
    `Before you change a file in a folder that has notes of its own, read them: ${escapeControls(below.join(', '))}`
      + (isAll ? '.' : ' (and there may be more).'),
  ]
  return [HEADING, ...sections, ...named].join('\n\n')
}

/** At the end of a line; within one that is so long that little else would be shown. */
function cutAt(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  const end = whole.lastIndexOf(0x0a, bytes) + 1
  if (bytes < LEAST_PART || end > bytes / 2) return whole.subarray(0, end).toString('utf8').trimEnd()
  // The last character may be cut in two: it goes.
  return new TextDecoder().decode(whole.subarray(0, bytes), { stream: true }).trimEnd()
}

/** `undefined` for what is not there, not to be read, or no text. */
function readNote(
  name: string, { gate, files, session }: Pick<VerbContext, 'gate' | 'files' | 'session'>,
): string | undefined {
  const path = approveIfAllowed(gate, `${session.root}/${name}`, 'read')
  if (path === undefined) return undefined
  const bytes = bytesOf(path, files)
  const text = bytes && Buffer.from(bytes).toString()
  return text === undefined || text.includes('\0') ? undefined : text
}

/** Sizes of more are no notes. */
const LARGEST = 1024 * 1024

function bytesOf(path: ApprovedPath, files: VerbContext['files']): Uint8Array | undefined {
  try {
    return files.stat(path)?.kind === 'file' ? files.peekBytes(path, LARGEST) : undefined
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) return undefined
    throw error
  }
}

async function notesBelow(
  context: Pick<VerbContext, 'gate' | 'files' | 'session' | 'signal'>,
): Promise<{ below: string[]; isAll: boolean }> {
  const root = approveIfAllowed(context.gate, context.session.root, 'list')
  if (root === undefined) return { below: [], isAll: true }
  const folders = new Map<string, string>()
  let seen = 0
  const options = { gitignore: true, dependencies: false, onUnreadable: () => undefined }
  for await (const { relative } of walk(root, context, options)) {
    if (++seen > MOST_FILES || folders.size === MOST_BELOW) break
    const at = relative.lastIndexOf('/')
    const name = relative.slice(at + 1)
    // Of two in one folder the first name counts: one usually points to the other.
    if (at !== -1 && NAMES.includes(name) && !folders.has(relative.slice(0, at))) {
      folders.set(relative.slice(0, at), relative)
    }
  }
  return { below: [...folders.values()], isAll: seen <= MOST_FILES && folders.size < MOST_BELOW }
}
