/** What a case says that writes a file which is not there yet. */
export function newFile(path: string, content: string): string {
  return `verb: write_file
      arguments:
        path: { from: ${path}, path: true }
        content: ${content}
        create_directories: { value: true }
        overwrite: { value: false }`
}

/** The names that a tool has for the arguments of a replacement. */
interface ReplacementNames {
  path: string
  old: string
  fresh: string
  /** Of the flag for all places. */
  all: string
}

/** As most harnesses name them. */
export const USUAL: ReplacementNames = { path: 'file_path', old: 'old_string', fresh: 'new_string', all: 'replace_all' }

/**
 * Cases of a tool that replaces a text in one place, or in all.
 *
 * @param fails pattern of texts that tell of a failure
 */
export function replaceRules({ path, old, fresh, all }: ReplacementNames, fails?: string): string {
  const result = fails === undefined ? '' : `\n      result: { fails: [${fails}] }`
  return [['true', 'file_replace_all_text'], ['[false, null]', 'file_replace_text']].map(([isAll, verb]) => (
    `    - when: { ${all}: ${isAll} }
      verb: ${verb}
      arguments: { path: { from: ${path}, path: true }, old_text: ${old}, new_text: ${fresh} }${result}`
  )).join('\n')
}
