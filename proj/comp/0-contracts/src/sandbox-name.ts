/** What a command ran in. `none`: nothing contained it, with the user's consent. */
export type SandboxName = 'bwrap' | 'unshare' | 'seatbelt' | 'docker' | 'singularity' | 'ssh' | 'none'
