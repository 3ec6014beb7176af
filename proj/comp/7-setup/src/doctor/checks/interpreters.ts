import type { Check, Finding } from '../finding.js'
import { firstLine } from '../first-line.js'

/** As `exec` and `execute_script` look for them. */
const LANGUAGES: readonly (readonly [name: string, programs: readonly string[], install: string])[] = [
  ['bash', ['bash'], 'bash'], ['python', ['python3', 'python'], 'python3'], ['ruby', ['ruby'], 'ruby'],
]

/** What runs the code of blocks. JavaScript runs in Node. */
export const checkInterpreters: Check = async ({ signal }) => (
  Promise.all(LANGUAGES.map(async ([name, programs, install]): Promise<Finding> => {
    for (const program of programs) {
      const version = await firstLine(program, ['--version'], signal)
      if (version !== undefined) return { id: `interpreter-${name}`, status: 'ok', title: name, detail: version }
    }
    return {
      id: `interpreter-${name}`, status: 'note', title: name,
      detail: `not found in PATH: blocks of this language fail with ENOENT`,
      fix: `Install it if models are to use it, e.g. apt install ${install}.`,
    }
  }))
)
