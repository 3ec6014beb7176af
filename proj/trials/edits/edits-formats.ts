/** One edit as each verb takes it and as each format writes it. */
import type { DriftCase } from './edits-cases.js'
import type { LineEdit } from './edits-reference.js'

export const VERB_NAMES = ['edit_replace', 'file_replace_text', 'apply_patch', 'patch_unified'] as const
export type VerbName = (typeof VERB_NAMES)[number]
export const FORMATS = ['search-replace', 'v4a', 'unified', 'envelope', 'tool-call', 'sham'] as const
export type TextFormat = (typeof FORMATS)[number]

/** The line ending that the verb or format gives the lines of the edit. */
export function endingIn(name: string, { ending }: LineEdit): LineEdit['ending'] {
  return ['apply_patch', 'patch_unified', 'v4a', 'unified', 'search-replace'].includes(name) ? '\n' : ending
}

export function argsOf(verb: VerbName, one: DriftCase, path: string): Record<string, string> {
  const { edit } = one
  if (verb === 'apply_patch') return { patch: v4a(edit, path) }
  if (verb === 'patch_unified') return { patch: unified(one, path) }
  const [oldText, newText] = [edit.searched, replacedLines(edit)].map((lines) => lines.join(edit.ending))
  const isNothing = edit.replaced.length === 0
  return { path, old_text: `${oldText}${edit.ending}`, new_text: isNothing ? '' : `${newText}${edit.ending}` }
}

export function answerOf(format: TextFormat, one: DriftCase, path: string): string {
  if (format === 'v4a') return v4a(one.edit, path)
  if (format === 'unified') return `\`\`\`diff\n${unified(one, path)}\`\`\`\n`
  if (format === 'search-replace') {
    const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
    const [old, replaced] = [textOf(one.edit.searched), textOf(replacedLines(one.edit))]
    return `${path}\n<<<<<<< SEARCH\n${old}=======\n${replaced}>>>>>>> REPLACE\n`
  }
  const args = argsOf('edit_replace', one, path)
  if (format === 'envelope') return fenced('json hermes', JSON.stringify({ verb: 'edit_replace', arguments: args }))
  const call = JSON.stringify({ name: 'edit_replace', arguments: args })
  if (format === 'tool-call') return `<tool_call>\n${call}\n</tool_call>\n`
  return [
    '#!SHAM [@three-char-SHA-256: abc]', 'action = "edit_replace"', ...Object.entries(args).map(([key, value]) => (
      key === 'path' ? `path = "${value}"` : `${key} = <<'EOT_SHAM_abc'\n${value}\nEOT_SHAM_abc`
    )), '#!END_SHAM_abc', '',
  ].join('\n')
}

function fenced(info: string, body: string): string {
  return `\`\`\`${info}\n${body}\n\`\`\`\n`
}

export function replacedLines({ searched, replaced }: LineEdit): string[] {
  return replaced.map((line) => ('text' in line ? line.text : searched[line.kept] ?? ''))
}

function v4a(edit: LineEdit, path: string): string {
  return ['*** Begin Patch', `*** Update File: ${path}`, '@@', ...hunkLines(edit), '*** End Patch', ''].join('\n')
}

function unified({ edit, line }: DriftCase, path: string): string {
  const header = `@@ -${line},${edit.searched.length} +${line},${edit.replaced.length} @@`
  return [`--- a/${path}`, `+++ b/${path}`, header, ...hunkLines(edit), ''].join('\n')
}

function hunkLines({ searched, replaced }: LineEdit): string[] {
  const lines: string[] = []
  let next = 0
  const removeTo = (end: number): void => {
    for (; next < end; next++) lines.push(`-${searched[next]}`)
  }
  for (const line of replaced) {
    if ('text' in line) {
      lines.push(`+${line.text}`)
      continue
    }
    removeTo(line.kept)
    lines.push(` ${searched[next++]}`)
  }
  removeTo(searched.length)
  return lines
}
