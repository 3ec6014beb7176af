import type { DangerName } from '../dangers.js'
import type { CodeLanguage } from './code-languages.js'

/** Calls that are dangerous with any arguments; matched in code without its strings. */
export interface HarmfulCall {
  /** `[^]*` stands for anything between two calls, and never occurs within a group: see `occurs`. */
  pattern: RegExp
  danger: DangerName
}

/** Calls whose first argument is a shell command, or a program with a list of arguments. */
export const RUNS: Readonly<Record<CodeLanguage, RegExp>> = {
  python:
    new RegExp(
      String.raw`\b(?:os\s*\.\s*(?:system|popen\d?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)`
      + String.raw`|subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)`
      + String.raw`|commands\s*\.\s*getoutput|pty\s*\.\s*spawn|asyncio\s*\.\s*create_subprocess_(?:shell|exec)`
      + String.raw`|platform\s*\.\s*popen|sh\s*\.\s*Command)\s*\(`,
      'g',
    ),
  javascript:
    new RegExp(
      String.raw`(?:\b(?:child_process|cp|childProcess|require\([^()]*\))\s*\.\s*(?:exec|execSync|spawn`
      + String.raw`|spawnSync|execFile|execFileSync|fork)|(?<![.\w])(?:exec|execSync|spawn|spawnSync`
      + String.raw`|execFile|execFileSync|execa|execaSync|execaCommand|execaCommandSync|shelljs\.exec`
      + String.raw`|shell\.exec|\$)|\bBun\s*\.\s*spawn(?:Sync)?|\bDeno\s*\.\s*(?:run|Command))\s*\(`,
      'g',
    ),
  ruby: new RegExp(
    String.raw`(?<![.\w:])(?:(?:Kernel\s*(?:\.|::)\s*)?(?:system|exec|spawn)|(?:Open3|IO|PTY|Process)\s*(?:\.`
    + String.raw`|::)\s*(?:\w*popen\w*|capture\w+|pipeline\w*|spawn))(?:\s*\(|[ \t]+(?=[\ue010]))`,
    'g',
  ),
  perl: /(?<![\w$@%>])(?:system|exec|open\d?)(?:\s*\(|\s+(?=[\ue010]))/g,
  php: /(?<![\w$>])(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*\(/g,
  awk: /\bsystem\s*\(/g,
  other: /\b(?:os\.execute|io\.popen|system2?|shell_exec|do\s+shell\s+script|run)\s*\(?\s*(?=[\ue010])/g,
  powershell: /\b(?:Start-Process|saps|Invoke-Expression|iex)\s*\(?\s*(?=[\ue010])/gi,
}

const FS = String.raw`(?:\b(?:fs|fsp|fsPromises|promises|fse|fsExtra)|require\([^()]*\)(?:\s*\.\s*promises)?)\s*\.\s*`

export const HARMFUL: Readonly<Record<CodeLanguage, readonly HarmfulCall[]>> = {
  python: [
    {
      pattern: /\bshutil\s*\.\s*rmtree\s*\(|(?<![\w.])(?:rmtree|remove_tree)\s*\(|\.rmtree\s*\(/,
      danger: 'recursive delete',
    },
    {
      pattern:
        new RegExp(
          String.raw`\bos\s*\.\s*(?:walk|scandir|listdir)\s*\([^]*\bos\s*\.\s*(?:remove|unlink|rmdir`
          + String.raw`|removedirs)\s*\(|\bglob\b[^]*\bos\s*\.\s*(?:remove|unlink)\s*\(|\.(?:r?glob`
          + String.raw`|iterdir)\s*\([^]*\.unlink\s*\(`,
        ),
      danger: 'mass delete',
    },
    {
      pattern:
        new RegExp(
          String.raw`\b(?:exec|eval)\s*\([^]*(?:b(?:16|32|64|85)decode|fromhex|unhexlify`
          + String.raw`|codecs\s*\.\s*decode|zlib|marshal|chr\s*\(|rot)`,
        ),
      danger: 'hidden code',
    },
    {
      pattern:
        /\b(?:exec|eval|os\s*\.\s*system|loads)\s*\([^]*(?:requests\s*\.|urlopen|urllib|httpx|http\s*\.\s*client)/,
      danger: 'remote code',
    },
    {
      pattern: /\bwhile\s+(?:True|1)\b[^]*\bos\s*\.\s*fork\s*\(|\bwhile\s+(?:True|1)\b[^]*\b(?:Popen|Process)\s*\(/,
      danger: 'fork bomb',
    },
    { pattern: /\bsocket\b[^]*\b(?:os\s*\.\s*dup2|pty\s*\.\s*spawn|subprocess\s*\.)/, danger: 'reverse shell' },
    { pattern: /\bos\s*\.\s*kill(?:pg)?\s*\(\s*-?[01]\s*,/, danger: 'kill of many processes' },
    {
      pattern:
        new RegExp(
          String.raw`\bos\s*\.\s*chmod\s*\([^]*,\s*(?:0o?[0-7]?[0-7]{2}[2367]|511|438)\s*\)`
          + String.raw`|\.chmod\s*\(\s*0o[0-7]?[0-7]{2}[2367]\s*\)`,
        ),
      danger: 'world-writable permissions',
    },
    {
      pattern:
        new RegExp(
          String.raw`\bos\s*\.\s*environ\b[^]*\b(?:requests\s*\.\s*post|urlopen)\s*\(|\b(?:requests\s*\.\s*post`
          + String.raw`|urlopen)\s*\([^]*\bos\s*\.\s*environ\b`,
        ),
      danger: 'secrets sent',
    },
    { pattern: /\.\s*(?:drop_all|drop_database|dropDatabase|flushall|flushdb)\s*\(/, danger: 'database reset' },
  ],
  javascript: [
    {
      pattern: new RegExp(
        String.raw`${FS}(?:rm|rmSync|rmdir|rmdirSync)\s*\([^]*\brecursive\s*:\s*(?:true|!0)`
          + String.raw`|(?<![.\w])(?:rm|rmSync|rmdirSync)\s*\([^]*\brecursive\s*:\s*(?:true|!0)`
          + String.raw`|\brimraf(?:\.sync|Sync|\.rimraf)?\s*\(|${FS}(?:remove|removeSync|emptyDir|emptyDirSync)\s*\(`
          + String.raw`|\bdel(?:eteSync)?\s*\(|\bDeno\s*\.\s*remove(?:Sync)?\s*\([^]*recursive`,
      ),
      danger: 'recursive delete',
    },
    {
      pattern: new RegExp(String.raw`${FS}(?:readdir|readdirSync)\s*\([^]*(?:unlink|unlinkSync|rmSync)\s*\(`),
      danger: 'mass delete',
    },
    {
      pattern:
        new RegExp(
          String.raw`\b(?:eval|Function|runInThisContext|runInNewContext)\s*\([^]*(?:Buffer\s*\.\s*from|atob\s*\(`
          + String.raw`|fromCharCode|unescape\s*\(|decodeURIComponent)`,
        ),
      danger: 'hidden code',
    },
    {
      pattern:
        /\bfetch\s*\([^]*\beval\b|\beval\s*\([^]*\bfetch\s*\(|https?\s*\.\s*get\s*\([^]*\b(?:eval|exec\w*|Function)\b/,
      danger: 'remote code',
    },
    {
      pattern: /\b(?:while\s*\(\s*(?:true|1|!0)\s*\)|for\s*\(\s*;\s*;\s*\))[^]*\b(?:fork|spawn|exec)\s*\(/,
      danger: 'fork bomb',
    },
    {
      pattern: /\bnet\b[^]*\b(?:connect|createConnection|Socket)\b[^]*\.pipe\s*\([^]*\b(?:std(?:in|out)|sh)\b/,
      danger: 'reverse shell',
    },
    { pattern: /\bprocess\s*\.\s*kill\s*\(\s*-?[01]\s*[,)]/, danger: 'kill of many processes' },
    {
      pattern: /\bchmod(?:Sync)?\s*\([^]*,\s*(?:0o[0-7]?[0-7]{2}[2367]|511|438)\s*\)/,
      danger: 'world-writable permissions',
    },
    { pattern: /\b(?:fetch|request|post)\s*\([^]*\bprocess\s*\.\s*env\b\s*[),}]/, danger: 'secrets sent' },
    {
      pattern:
        /\.\s*(?:dropDatabase|dropCollection|flushall|flushdb|dropTable)\s*\(|\bsync\s*\(\s*\{\s*force\s*:\s*true/,
      danger: 'database reset',
    },
  ],
  ruby: [
    {
      pattern: /\bFileUtils\s*(?:\.|::)\s*(?:rm_rf?|rmtree|remove_dir|remove_entry\w*)\b|\.rmtree\b/,
      danger: 'recursive delete',
    },
    { pattern: /\bDir\b[^]*\b(?:File|FileUtils)\s*\.\s*(?:delete|unlink|rm)\b/, danger: 'mass delete' },
    { pattern: /\beval\b[^]*(?:decode64|unpack|\bpack\b)/, danger: 'hidden code' },
    { pattern: /\beval\b[^]*(?:open-uri|URI|Net::HTTP|open\s*\()/, danger: 'remote code' },
    { pattern: /\b(?:loop|while\s+true|until\s+false)\b[^]*\bfork\b|\bfork\s+while\s+fork\b/, danger: 'fork bomb' },
    { pattern: /\bTCPSocket\b[^]*\b(?:exec|popen|system|spawn)\b/, danger: 'reverse shell' },
    { pattern: /\bProcess\s*\.\s*kill\s*\([^)]{0,300},\s*-?[01]\s*\)/, danger: 'kill of many processes' },
    {
      pattern: /\b(?:File|FileUtils)\s*\.\s*chmod(?:_R)?\s*\(?\s*0?o?[0-7]?[0-7]{2}[2367]\b/,
      danger: 'world-writable permissions',
    },
  ],
  perl: [
    { pattern: /\b(?:rmtree|remove_tree)\b/, danger: 'recursive delete' },
    { pattern: /\bunlink\b\s*\(?\s*(?:<|glob\b)|\bfind\b[^]*\bunlink\b/, danger: 'mass delete' },
    { pattern: /\beval\b[^]*(?:decode_base64|unpack|\bpack\b)/, danger: 'hidden code' },
    { pattern: /\bfork\s+while\s+(?:fork|1)\b|\bwhile\s*\(?\s*1?\s*\)?[^]*\bfork\b/, danger: 'fork bomb' },
    { pattern: /\bsocket\s*\([^]*\bexec\b|IO::Socket[^]*\b(?:exec|system)\b/i, danger: 'reverse shell' },
    { pattern: /\bkill\s*\(?\s*(?:9|[\ue010]\d+[\ue011])\s*(?:,|=>)\s*-?[01]\b/, danger: 'kill of many processes' },
  ],
  php: [
    { pattern: /\beval\s*\([^]*(?:base64_decode|gzinflate|str_rot13|hex2bin)/, danger: 'hidden code' },
    { pattern: /\beval\s*\([^]*file_get_contents|include\s*\(?\s*[\ue010]/, danger: 'remote code' },
    {
      pattern: /\b(?:glob|scandir|RecursiveDirectoryIterator)\s*\([^]*\b(?:unlink|rmdir)\b|array_map\s*\(\s*[\ue010]/,
      danger: 'mass delete',
    },
    { pattern: /\bfsockopen\s*\([^]*\b(?:exec|proc_open|shell_exec|system)\b/, danger: 'reverse shell' },
  ],
  awk: [{ pattern: /\/inet\/tcp|[\ue010]\d+[\ue011]\s*\|&?\s*getline[^]*\|&/, danger: 'reverse shell' }],
  other: [{ pattern: /\bunlink\s*\([^]*recursive\s*=\s*(?:TRUE|T)\b/, danger: 'recursive delete' }],
  powershell: [
    {
      pattern:
        new RegExp(
          String.raw`\b(?:Remove-Item|ri|rm|del|rd|rmdir|erase)\b[^;|\n]{0,300}\s-r(?:e\w*)?\b`
          + String.raw`|\b(?:Remove-Item|ri|rm|del|erase)\b[^;|\n]{0,300}\*`,
          'i',
        ),
      danger: 'recursive delete',
    },
    {
      pattern:
        new RegExp(
          String.raw`\b(?:gci|ls|dir|Get-ChildItem)\b[^;\n]{0,300}\|\s*(?:Remove-Item|ri|rm|del)\b`
          + String.raw`|\[(?:System\.)?IO\.Directory\]::Delete`,
          'i',
        ),
      danger: 'mass delete',
    },
    {
      pattern:
        new RegExp(
          String.raw`\b(?:iex|Invoke-Expression|DownloadString|DownloadFile)\b[^\n]{0,300}\b(?:iwr|irm|curl|wget`
          + String.raw`|Invoke-WebRequest|Invoke-RestMethod|DownloadString|WebClient)\b|\b(?:iwr|irm|curl|wget`
          + String.raw`|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b[^\n]{0,300}\|\s*(?:iex`
          + String.raw`|Invoke-Expression)\b`,
          'i',
        ),
      danger: 'remote code',
    },
    {
      pattern:
        new RegExp(
          String.raw`FromBase64String[^]*\b(?:iex|Invoke-Expression|Invoke|&)|\b(?:iex`
          + String.raw`|Invoke-Expression)\b[^]*(?:FromBase64String|-join|\[char\])`,
          'i',
        ),
      danger: 'hidden code',
    },
    { pattern: /\b(?:Clear-Disk|Format-Volume|Initialize-Disk|Remove-Partition)\b/i, danger: 'disk format' },
    { pattern: /\b(?:Stop-Computer|Restart-Computer)\b/i, danger: 'system shutdown' },
    { pattern: /\b(?:Stop-Service|Remove-Service)\b|\bSet-Service\b[^\n]{0,300}Disabled/i, danger: 'service stop' },
    {
      pattern: /\bSet-ExecutionPolicy\b|\bSet-MpPreference\b|\bRemove-ItemProperty\b|\bSet-NetFirewallProfile\b/i,
      danger: 'system setting',
    },
    { pattern: /\b(?:New|Remove|Set)-LocalUser\b|\bAdd-LocalGroupMember\b/i, danger: 'account change' },
    {
      pattern: /\bStop-Process\b[^\n]{0,300}-Force|\bGet-Process\b[^\n]{0,300}\|\s*Stop-Process/i,
      danger: 'kill of many processes',
    },
    { pattern: /\bClear-EventLog\b|\bClear-History\b|\bwevtutil\s+cl\b/i, danger: 'traces removed' },
    { pattern: /Net\.Sockets\.TCPClient/i, danger: 'reverse shell' },
    { pattern: /\b(?:Register|Unregister)-ScheduledTask\b/i, danger: 'scheduled job change' },
  ],
}

/** Calls whose first argument is a path to write. */
export const WRITES =
  new RegExp(
    String.raw`\b(?:open|fopen|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream`
    + String.raw`|truncate|truncateSync|file_put_contents|File\s*\.\s*(?:write|open)|IO\s*\.\s*write|Path`
    + String.raw`|copyFile|copyFileSync|WriteAllText)\s*\(`,
    'g',
  )
export const WRITE_MODE = /^(?:[wax]|\+?>|r\+)/
/** Calls whose argument is a path to delete. */
export const DELETES =
  new RegExp(
    String.raw`\b(?:os\s*\.\s*(?:remove|unlink|rmdir|removedirs)|unlink|unlinkSync|rmSync|rmdirSync|rmdir`
    + String.raw`|File\s*\.\s*(?:delete|unlink))\s*\(`,
    'g',
  )
/** Calls whose argument is a path to read. */
export const READS = /\b(?:open|readFile|readFileSync|File\s*\.\s*read|IO\s*\.\s*read|file_get_contents|Path)\s*\(/g
/** Calls whose strings are database statements. */
export const QUERIES =
  new RegExp(
    String.raw`\.\s*(?:execute|executescript|executemany|query|raw|exec|run|prepare|sql|mysqli_query|unsafe`
    + String.raw`|\$executeRawUnsafe|\$executeRaw|do)\s*\(`,
    'g',
  )
