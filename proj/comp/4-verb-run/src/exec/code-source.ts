import type { CommandSource } from '../../../1-command-risk/src/index.js'
import type { CodeLanguage } from './languages.js'

/** What a verb hands to a shell, as the recogniser reads it. */
export function codeSource(lang: CodeLanguage, text: string): CommandSource {
  return lang === 'bash' ? { kind: 'shell', text } : { kind: 'code', lang, text }
}
