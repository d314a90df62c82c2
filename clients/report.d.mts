export function report(checks: Record<string, () => Promise<unknown>>): Promise<void>;
