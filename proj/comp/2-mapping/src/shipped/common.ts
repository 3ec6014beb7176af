/** What is in force where no mapping is named: tools that are called the same only where they are the same. */
export const COMMON = String.raw`
extends: [anthropic, claude-code, codex, openhands, swe-agent]
`
