/** Languages whose code is looked through: those that hermes runs; of others just the commands that they start. */
export type CodeLanguage = 'python' | 'javascript' | 'ruby' | 'powershell' | 'other'

export interface CodeText {
  lang: CodeLanguage
  text: string
}
