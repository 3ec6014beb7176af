import type { LanguageId } from '../language-id.js'
import { C } from './c.js'
import { CPP } from './cpp.js'
import { CSHARP } from './csharp.js'
import { GO } from './go.js'
import { JAVA } from './java.js'
import { JAVASCRIPT } from './javascript.js'
import { PHP } from './php.js'
import { PYTHON } from './python.js'
import { RUBY } from './ruby.js'
import { RUST } from './rust.js'
import type { LanguageSyntax } from './syntax-data.js'
import { TSX, TYPESCRIPT } from './typescript.js'

export const LANGUAGES: Record<LanguageId, LanguageSyntax> = {
  typescript: TYPESCRIPT,
  tsx: TSX,
  javascript: JAVASCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  java: JAVA,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  ruby: RUBY,
  php: PHP,
}
