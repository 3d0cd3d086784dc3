type ThrowawayPostgres = { url: string; stop: () => Promise<void>; crash: () => Promise<void> }

export function startThrowawayPostgres(options?: { keepsCommits?: boolean }): Promise<ThrowawayPostgres | undefined>
