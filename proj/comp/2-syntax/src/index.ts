export { OCCURRENCE_KINDS } from './definition.js'
export type {
  Definition, DefinitionKind, IdentifierPlace, IdentifierUse, Occurrence, OccurrenceKind, VisibleDefinition,
} from './definition.js'
export { exportsElsewhere } from './exports-elsewhere.js'
export { findIdentifiers } from './find-identifiers.js'
export { identifierAt, identifiersOnLine } from './identifier-at.js'
export {
  editableLanguageOf, GRAMMAR_IDS, isByPattern, LANGUAGE_IDS, LANGUAGE_NAMES, languageOf, LANGUAGES_IN_SHORT,
  type GrammarId, type LanguageId, type ParsedId,
} from './language-id.js'
export { lineStarts, placeIn } from './line-starts.js'
export { loneBracket, type LoneBracket } from './open-bracket.js'
export { outline, type Outline } from './outline.js'
export { parseDefinitions, parseVisible } from './parse-definitions.js'
export { parseFacts, type Facts, type Import, type LineRange } from './parse-facts.js'
export { ParseTime } from './parse-time.js'
export { StructuralMatcher, type TextMatches } from './structural/structural-matcher.js'
export type { QueryDoubt, RulePattern, Span, StructuralMatch, StructuralQuery } from './structural/structural-thread.js'
export { fullName, readName, type WantedName } from './symbol-name.js'
export { parseSignatures, type SignedDefinition, type Signatures } from './declaration-signatures.js'
export type { WholeDeclaration } from './whole-declaration.js'
export { unparsedLanguage } from './unparsed-language.js'
export { whatBroke, type Breakage, type SyntaxProblem } from './what-broke.js'
export { syntaxParser, type SyntaxNode, type SyntaxParser } from './syntax-tree.js'
