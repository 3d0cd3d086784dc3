// Every program of ours has this umask, so tests have it too: what a run's user must read needs a mode of its own.
process.umask(0o077)
