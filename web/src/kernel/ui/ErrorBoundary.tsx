import { Component, type ErrorInfo, type ReactNode } from "react";
import { t } from "@/kernel/i18n";
import { ErrorState } from "./states";

interface Props {
  children: ReactNode;
  /** Changing it forgets the error, e.g. the path of the page. */
  resetKey?: string;
}

interface State {
  error: unknown;
  failed: boolean;
  resetKey: string | undefined;
}

/** Keeps a failing part from taking the page down and offers a retry. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, failed: true };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (props.resetKey === state.resetKey) return null;
    return { error: null, failed: false, resetKey: props.resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const chunk = isChunkError(this.state.error);
    return (
      <ErrorState
        title={t(chunk ? "kernel:failure.chunkTitle" : "kernel:failure.crashTitle")}
        hint={t(chunk ? "kernel:failure.chunkHint" : "kernel:failure.crashHint")}
        onRetry={() => (chunk ? window.location.reload() : this.setState({ error: null, failed: false }))}
      />
    );
  }
}

/** Whether an error comes from code that could not be fetched. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script failed|Unable to preload|Importing a module/i.test(
      error.message,
    )
  );
}
