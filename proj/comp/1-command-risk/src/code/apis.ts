import type { DangerName } from '../dangers.js'
import type { CodeLanguage } from './code-languages.js'

/** Calls whose first argument is a shell command, or a program with a list of arguments. */
export const RUNS: Readonly<Record<CodeLanguage, RegExp>> = {
  python:
    new RegExp(
      String.raw`\b(?:os\s*\.\s*(?:system|popen\d?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?)`
      + String.raw`|subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)`
      + String.raw`|pty\s*\.\s*spawn|asyncio\s*\.\s*create_subprocess_(?:shell|exec))\s*\(`,
      'g',
    ),
  javascript:
    new RegExp(
      String.raw`(?:\b(?:child_process|cp|childProcess)\s*\.\s*|\b(?:shell|shelljs|Bun|Deno)\s*\.\s*|(?<![.\w]))`
      + String.raw`(?:exec|spawn|execFile|execa|execaCommand|fork|run|Command|\$)(?:Sync)?\s*\(`,
      'g',
    ),
  ruby: new RegExp(
    String.raw`(?<![.\w:])(?:(?:Kernel\s*(?:\.|::)\s*)?(?:system|exec|spawn)|(?:Open3|IO|PTY|Process)\s*(?:\.`
    + String.raw`|::)\s*(?:\w*popen\w*|capture\w+|pipeline\w*|spawn))(?:\s*\(|[ \t]+(?=[\ue010]))`,
    'g',
  ),
  powershell: /\b(?:Start-Process|saps|Invoke-Expression|iex)\s*\(?\s*(?=[\ue010])/gi,
  other: /(?<![\w$@%>])(?:system|exec|popen|shell_exec|passthru|proc_open|os\.execute)(?:\s*\(|\s+(?=[\ue010]))/g,
}

/** What runs text as code of the same language. */
export const EVALUATES: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /(?<![.\w])(?:exec|eval)\s*\(/,
  javascript: /\beval\b|\bFunction\s*\(|\brunIn(?:This|New)Context\s*\(/,
  ruby: /\beval\b/,
  powershell: /\b(?:iex|Invoke-Expression)\b/i,
  other: /\beval\b/,
}
/** What that text may come from. */
export const SOURCES: readonly (readonly [pattern: RegExp, danger: DangerName])[] = [
  [/b(?:16|32|64|85)decode|decode_?(?:base)?64|base64_decode|frombase64string|fromhex|unhexlify/i, 'hidden code'],
  [/\batob\s*\(|fromCharCode|\bBuffer\s*\.\s*from|\bunescape\s*\(|gzinflate|str_rot13|\bunpack\b/, 'hidden code'],
  [/\brequests\s*\.|\burl(?:open|lib)|\bhttpx\b|\bhttps?\s*\.\s*(?:client|get)\b|\bfetch\s*\(/, 'remote code'],
  [/\bURI\b|Net::HTTP|file_get_contents/, 'remote code'],
  [/\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|WebClient)\b/i, 'remote code'],
]

/** Calls that are dangerous with any arguments; matched in code without its strings. */
export const HARMFUL: readonly (readonly [pattern: RegExp, danger: DangerName])[] = [
  [/\brmtree\b|(?<![\w.])(?:remove_tree|delete(?:As|S)ync)\s*\(/, 'recursive delete'],
  [/\brimraf(?:\.\w+)?\s*\(|\bfse\s*\.\s*(?:remove|emptyDir)(?:Sync)?\s*\(/, 'recursive delete'],
  [/\bFileUtils\s*(?:\.|::)\s*(?:rm_rf?|remove_dir|remove_entry\w*)\b/, 'recursive delete'],
  [
    /(?:\.\s*chmod(?:Sync|_R)?\b\s*\(?|\bchmod(?:Sync)?\s*\()[^()\n]{0,60}\b0o?[0-7]?[0-7]{2}[2367]\b/,
    'world-writable permissions',
  ],
  [/\b(?:os|process)\s*\.\s*kill(?:pg)?\s*\(\s*-?[01]\s*[,)]/, 'kill of many processes'],
  [
    /\b(?:post|urlopen|fetch|request)\s*\([^;\n]{0,300}\b(?:os\s*\.\s*environ|process\s*\.\s*env)\b(?!\s*\??[.[])/,
    'secrets sent',
  ],
  [/\.\s*(?:drop_all|drop_?database|drop_?collection|drop_?table|flushall|flushdb)\s*\(/i, 'database reset'],
]
/** With a socket, what gives it a program. */
export const PROGRAM_ON_SOCKET = /\bos\s*\.\s*dup2\b|\bpty\s*\.\s*spawn\b/
/** A loop without end, and behind it what doubles the processes. */
export const ENDLESS = /\bwhile(?:\s*\(\s*|\s+)(?=(?:true|1|!0|fork)\b)|\bloop\b|\bfor\s*\(\s*;\s*;/i
export const FORK = /\bfork\b/

/** More of PowerShell, whose text is followed as a shell's besides. */
export const POWERSHELL: readonly (readonly [pattern: RegExp, danger: DangerName])[] = [
  [/\b(?:Remove-Item|ri|rm|del|rd|rmdir|erase)\b[^;|\n]{0,300}(?:\s-r(?:e\w*)?\b|\*)/i, 'recursive delete'],
  [/\|\s*(?:Remove-Item|ri|rm|del)\b|\[(?:System\.)?IO\.Directory\]::Delete/i, 'mass delete'],
]

/** Calls whose first argument is a path to write. */
export const WRITES =
  new RegExp(
    String.raw`\b(?:open|(?:writeFile|appendFile|truncate|copyFile)(?:Sync)?|createWriteStream`
    + String.raw`|File\s*\.\s*(?:write|open)|IO\s*\.\s*write|Path)\s*\(`,
    'g',
  )
export const WRITE_MODE = /^(?:[wax]|r\+)/
/** Calls whose argument is a path to delete. */
export const DELETES =
  /\b(?:os\s*\.\s*(?:remove|rmdir|removedirs)|Deno\s*\.\s*remove|rm|rmdir|unlink|File\s*\.\s*delete)(?:Sync)?\s*\(/g
/** Calls that find what is then deleted. */
export const LISTS = /\b(?:walk|scandir|listdir|r?glob|iterdir|readdir(?:Sync)?|Dir)\b/
/** Calls whose argument is a path to read. */
export const READS = /\b(?:open|readFile(?:Sync)?|File\s*\.\s*read|IO\s*\.\s*read|Path)\s*\(/g
/** Calls whose strings are database statements. */
export const QUERIES =
  /\.\s*(?:execute|executescript|executemany|query|raw|exec|run|prepare|sql|unsafe|\$executeRaw(?:Unsafe)?|do)\s*\(/g
