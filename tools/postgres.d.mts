type ThrowawayPostgres = {
  url: string
  stop: () => Promise<void>
  crash: (signal?: 'SIGQUIT' | 'SIGKILL') => Promise<void>
}

export function startThrowawayPostgres(options?: { keepsCommits?: boolean }): Promise<ThrowawayPostgres | undefined>
