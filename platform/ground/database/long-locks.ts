/** Advisory locks that processes hold for long. Each has its own number: two with one number would wait for each other. */
export const longLocks = { migrations: 4401, embeddedAnalytics: 4402, writing: 4403 }
