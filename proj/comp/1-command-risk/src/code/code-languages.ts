/** Languages whose code is looked through. */
export type CodeLanguage = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'awk' | 'other' | 'powershell'

export interface CodeText {
  lang: CodeLanguage
  text: string
}
