import type { PathAccess } from '../../../0-contracts/src/index.js'

export interface DenyPattern {
  /**
   * Regular expression for a whole path with `/` between names, ignoring case. If it starts with `/` it is compared
   * with the absolute path (links resolved), otherwise with the path relative to the root or allowed directory.
   */
  pattern: string
  /** Reason, to continue "is denied: …". */
  reason: string
  /**
   * `all`: it is not even listed. `content`: it is listed, but neither read nor changed. `changes`: it is read, but not
   * changed. The user's policy may open `content` (`readable`).
   */
  denies: 'all' | 'content' | 'changes'
  /** It also binds actions of the user, such as an undo. */
  bindsUser?: true
}

export const DENIED_ACCESS: Readonly<Record<DenyPattern['denies'], readonly PathAccess[]>> = {
  all: ['list', 'show', 'read', 'write', 'remove'],
  content: ['show', 'read', 'write', 'remove'],
  changes: ['write', 'remove'],
}

/** A pattern for names anywhere below the root, with everything in them. */
function anywhere(...names: string[]): string {
  return `(.*/)?${names.length === 1 ? names[0] : `(${names.join('|')})`}(/.*)?`
}

/** Names anywhere below the root that are listed, but neither read nor changed. */
function content(reason: string, ...names: string[]): DenyPattern {
  return { denies: 'content', pattern: anywhere(...names), reason }
}

/** Names anywhere below the root that are read, but not changed. */
function changes(reason: string, ...names: string[]): DenyPattern {
  return { denies: 'changes', pattern: anywhere(...names), reason }
}

/**
 * What verbs must not touch in any root: secrets, the state of git and of hermes, and files that make an editor, an
 * agent, a shell or git run a program by itself. A project's own code (`package.json`, `Makefile`, CI) is not included:
 * running it is a separate step, which the sandbox contains.
 */
export const DENY_PATTERNS: readonly DenyPattern[] = [
  { denies: 'all', pattern: anywhere('\\.ssh'), reason: 'SSH keys and settings' },
  { denies: 'all', pattern: anywhere('\\.git'), reason: "git's own files", bindsUser: true },
  { denies: 'all', pattern: '\\.hermes(/.*)?', reason: "hermes' own state", bindsUser: true },
  { denies: 'all', pattern: anywhere('\\.hermes'), reason: "hermes' own state" },
  { denies: 'all', pattern: anywhere('\\.hermes-tmp-[^/]*'), reason: "hermes' temporary files" },
  { denies: 'all', pattern: anywhere('hermes\\.yaml'), reason: "hermes' policy file" },
  {
    denies: 'all', pattern: anywhere('(git|ssh|hermes)~[0-9]+'),
    reason: 'a short Windows name of a denied directory', bindsUser: true,
  },
  { denies: 'all', pattern: '/(private/)?etc(/.*)?', reason: 'system settings', bindsUser: true },
  { denies: 'all', pattern: '/sys(/.*)?', reason: 'kernel interface', bindsUser: true },
  { denies: 'all', pattern: '/proc(/.*)?', reason: 'kernel interface', bindsUser: true },
  { denies: 'all', pattern: '/dev/(?!shm/).*', reason: 'devices', bindsUser: true },
  content('environment variables, which often hold secrets',
    '\\.env(?!\\.(?:example|sample|template|dist|defaults|schema)(?:/|$))(?:[._-][^/]*|rc)?', '[^/]+\\.env',
  ),
  content('a private key',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?', '[^/]+\\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)',
  ),
  content('credentials',
    '[._]netrc', '\\.pgpass', '\\.my\\.cnf', '\\.git-credentials', '\\.pypirc', '\\.htpasswd', '\\.vault-token',
    '\\.gnupg', '\\.aws', '\\.azure', '\\.kube', '\\.docker/config\\.json', '\\.config/(?:gcloud|gh)', '\\.boto',
    '\\.s3cfg', '\\.terraformrc', '\\.password-store',
  ),
  changes('settings of an editor, which can run programs',
    '\\.vscode', '[^/]+\\.code-workspace', '\\.vs', '\\.idea', '\\.fleet', '\\.zed', '\\.devcontainer(?:\\.json)?',
    '\\.dir-locals(?:-2)?\\.el', '\\.exrc', '\\.n?vimrc', '\\.nvim\\.lua', '[^/]+\\.sublime-(?:project|build)',
  ),
  changes('settings of an agent, which can run programs',
    '\\.?mcp\\.json', '\\.claude(?:\\.json)?', '\\.cursor(?:rules)?', '\\.windsurf(?:rules)?', '\\.codex',
    '\\.gemini', '\\.qwen', '\\.continue', '\\.cline(?:rules)?', '\\.roo', '\\.roomodes', '\\.kilocode', '\\.kiro',
    '\\.amazonq', '\\.junie', '\\.?opencode(?:\\.jsonc?)?', '\\.aider\\.[^/]*',
  ),
  changes('git runs programs by it',
    '\\.husky', '\\.huskyrc[^/]*', '\\.githooks', '\\.?lefthook[^/]*', '\\.pre-commit-(?:config|hooks)\\.ya?ml',
    '\\.lintstagedrc[^/]*', 'lint-staged\\.config\\.[^/]*', '\\.?simple-git-hooks\\.[^/]*', '\\.overcommit\\.yml',
    '\\.gitconfig', '\\.gitmodules',
  ),
  changes('a shell or tool runs programs by it',
    '\\.npmrc', '\\.yarnrc(?:\\.yml)?', '\\.yarn/(?:releases|plugins)', '\\.pnp\\.[^/]*', '\\.pnpmfile\\.[^/]*',
    '\\.direnv', '\\.?mise(?:\\.[^/]*)?\\.toml', '\\.mise', '\\.[a-z]*sh(?:rc|env)', '\\.bash_[a-z]+', '\\.zprofile',
    '\\.zlog(?:in|out)', '\\.profile', '\\.x(?:initrc|profile|session(?:rc)?)', '\\.(?:gdb|lldb)init', '\\.irbrc',
    '\\.Rprofile', '\\.inputrc', '\\.tmux\\.conf', '\\.config/(?:autostart|systemd|environment\\.d|fish|git)',
    '\\.local/(?:bin|share/(?:applications|systemd))', 'Library/Launch(?:Agents|Daemons)',
  ),
  changes('it decides what the next "npx hermes" runs',
    'node_modules/\\.bin/(?:hermes|node|sh|npm|npx)(?:\\.[^/]*)?', 'node_modules/hermes',
  ),
]
