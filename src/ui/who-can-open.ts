const ownHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** What to say of a link that nobody on another machine can open. */
export const whoCanOpen = (link: string): string | undefined =>
  ownHosts.test(new URL(link).hostname)
    ? 'It opens on this machine only. For others, start Assay with PUBLIC_URL, the address at which they reach it.'
    : undefined
