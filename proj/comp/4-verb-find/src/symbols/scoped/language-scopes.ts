import type { LanguageId } from '../../../../2-syntax/src/index.js'
import { CSHARP_SCOPES } from './csharp-scopes.js'
import { GO_SCOPES } from './go-scopes.js'
import { JAVA_SCOPES } from './java-scopes.js'
import { RUST_SCOPES } from './rust-scopes.js'
import type { LanguageScopes } from './scope-table.js'

/** Languages whose names are resolved by their scopes and imports, as their tables say. */
export const SCOPED_LANGUAGES = ['go', 'java', 'rust', 'csharp'] as const

const TABLES: Record<(typeof SCOPED_LANGUAGES)[number], LanguageScopes> = {
  go: GO_SCOPES, java: JAVA_SCOPES, rust: RUST_SCOPES, csharp: CSHARP_SCOPES,
}

export function scopesOf(language: LanguageId): LanguageScopes | undefined {
  return (TABLES as Partial<Record<LanguageId, LanguageScopes>>)[language]
}
