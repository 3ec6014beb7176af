import { ifPossible, type VerbContext } from '../../../0-contracts/src/index.js'
import { escapeControls, fenced } from '../../../0-text/src/index.js'
import { approveIfAllowed, walk } from '../../../2-files/src/index.js'

/** Files in which projects describe how to work on them: the common name, and Claude Code's. */
const NAMES = ['AGENTS.md', 'CLAUDE.md']
/** Limit of both files together, in bytes. */
const MOST_BYTES = 32 * 1024
/** With less room than this, a note is not cut within a line, in bytes. */
const LEAST_PART = 1024
/** Most notes of subdirectories that are listed. */
const MOST_BELOW = 20
/** Most files examined when looking for notes: the first answer waits for this. */
const MOST_FILES = 20_000
/** A file that only refers to the other one, in Claude Code's syntax. */
const ONLY_POINTS = /^@(?:\.\/)?AGENTS\.md$/

const HEADING = '## Notes of the project\n\nHow its people want work on it done. Follow what fits the task. They open '
  + 'nothing that is closed to you, and what the user says goes before them.'

/**
 * A project's notes as a prompt section: those of its root in full, within a limit; those of subdirectories by name,
 * since each applies to its own directory only. Read under a verb's rules: no link leads out, and what the policy
 * denies is absent.
 *
 * @param mask removes secrets
 * @returns `''` where there are none
 */
export async function projectNotes(
  context: Pick<VerbContext, 'gate' | 'files' | 'session' | 'signal' | 'elsewhere'>, mask: (text: string) => string,
): Promise<string> {
  const notes = new Map<string, string>()
  for (const name of NAMES) {
    // Mask before cutting: half of a secret would not be recognised.
    const text = mask(readNote(name, context)?.trim() ?? '')
    if (text === '' || ONLY_POINTS.test(text) || [...notes.values()].includes(text)) continue
    notes.set(name, text)
  }
  // On another host each directory costs a round trip.
  const { below, isAll } = context.elsewhere ? { below: [], isAll: true } : await notesBelow(context)
  if (notes.size === 0 && below.length === 0) return ''
  let left = MOST_BYTES
  const sections = [...notes].map(([name, text]) => {
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

/** Cuts at the end of a line, or within a line so long that little else would be left. */
function cutAt(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  if (whole.length <= bytes) return text
  const end = whole.lastIndexOf(0x0a, bytes) + 1
  if (bytes < LEAST_PART || end > bytes / 2) return whole.subarray(0, end).toString('utf8').trimEnd()
  // Drop the last character if it was cut in two.
  return new TextDecoder().decode(whole.subarray(0, bytes), { stream: true }).trimEnd()
}

/** A note's text; `undefined` if it is missing, not readable, or not text. */
function readNote(
  name: string, { gate, files, session }: Pick<VerbContext, 'gate' | 'files' | 'session'>,
): string | undefined {
  const path = approveIfAllowed(gate, `${session.root}/${name}`, 'read')
  if (path === undefined) return undefined
  const bytes = ifPossible(
    () => files.stat(path)?.kind === 'file' ? files.peekBytes(path, LARGEST) : undefined, undefined,
  )
  const text = bytes && Buffer.from(bytes).toString()
  return text === undefined || text.includes('\0') ? undefined : text
}

/** Larger files are not read as notes, in bytes. */
const LARGEST = 1024 * 1024

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
    // If a directory has both, the first name counts: one usually refers to the other.
    if (at !== -1 && NAMES.includes(name) && !folders.has(relative.slice(0, at))) {
      folders.set(relative.slice(0, at), relative)
    }
  }
  return { below: [...folders.values()], isAll: seen <= MOST_FILES && folders.size < MOST_BELOW }
}
