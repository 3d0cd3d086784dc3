const names = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The host of a Host header, in lower case and without its port. */
export const hostNameOf = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/** Whether the host of a Host header or a URL is a usual name of the machine itself. */
export const isLoopbackName = (host: string) => names.has(hostNameOf(host))
