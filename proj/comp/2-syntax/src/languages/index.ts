import type { GrammarId } from '../language-id.js'
import { BASH } from './bash.js'
import { C } from './c.js'
import { CPP } from './cpp.js'
import { CSHARP } from './csharp.js'
import { ELIXIR } from './elixir.js'
import { GO } from './go.js'
import { JAVA } from './java.js'
import { JAVASCRIPT } from './javascript.js'
import { KOTLIN } from './kotlin.js'
import { LUA } from './lua.js'
import { PHP } from './php.js'
import { PYTHON } from './python.js'
import { RUBY } from './ruby.js'
import { RUST } from './rust.js'
import { SCALA } from './scala.js'
import { SWIFT } from './swift.js'
import type { LanguageSyntax } from './syntax-data.js'
import { TSX, TYPESCRIPT } from './typescript.js'

export const LANGUAGES: Record<GrammarId, LanguageSyntax> = {
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
  kotlin: KOTLIN,
  swift: SWIFT,
  scala: SCALA,
  elixir: ELIXIR,
  lua: LUA,
  bash: BASH,
}
