/** What a line comment begins with. */
const LINE = /^(?:\/\/[/!]?|#|--)/
/** What compilers, linters and readers of the file are told. */
const DIRECTIVE = new RegExp([
  '^#.*\\bcoding[:=]', // PEP 263
  '^#\\s*(?:frozen_string_literal|typed|mypy|pylint|ruff|flake8):',
  '^//(?:go:build|\\s*\\+build)\\b',
  '^///\\s*<(?:reference|amd-module)\\b',
  '^/[/*]+\\s*(?:@ts-(?:no)?check|@flow|eslint-(?:disable(?!-)|env|enable))\\b',
].join('|'))

/** What kind of line comment it is; absent for other comments. */
export function lineCommentKind(comment: string): string | undefined {
  return LINE.exec(comment)?.[0]
}

/** Whether a comment tells something of the whole file. */
export function isDirective(comment: string): boolean {
  return DIRECTIVE.test(comment)
}

/** Whether a comment, if the file begins with it, is its licence. */
export function isLicence(comment: string): boolean {
  return /\bCopyright\b|\bSPDX-|@licen[sc]e\b/.test(comment)
}
