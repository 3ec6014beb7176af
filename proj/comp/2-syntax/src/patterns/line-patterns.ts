import { DESCRIPTIONS } from './data-patterns.js'
import type { PatternId } from './pattern-extensions.js'
import type { LinePatterns } from './pattern-kit.js'
import { PROGRAMS } from './program-patterns.js'

export const LINE_PATTERNS: Readonly<Record<PatternId, LinePatterns>> = { ...PROGRAMS, ...DESCRIPTIONS }
