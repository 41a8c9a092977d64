import { ReloadOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { getPuzzle, type Puzzle } from "../api";
import { pictureWidth, pieceWidth, pointText, submitAnswer } from "./answer";
import { CaptchaStatus } from "./CaptchaStatus";
import { PuzzleSlider } from "./PuzzleSlider";
import { useChallenge } from "./useChallenge";

interface Props {
  onVerified: (verification: string) => void;
  onOther: () => void;
}

/** A piece to be moved into the gap of a picture. */
export function BlockPuzzle({ onVerified, onOther }: Props) {
  const { t } = useTranslation("auth");
  const [x, setX] = useState(0);
  const { challenge, message, failed, busy, renew, answer } = useChallenge(getPuzzle, onVerified);
  const confirm = async (position: number) => {
    setX(position);
    await answer((puzzle) => submitAnswer("blockPuzzle", puzzle, pointText(position)));
    setX(0);
  };
  return (
    <div className="puzzle">
      <p className="puzzle-text">{t("captcha.instruction")}</p>
      <Picture puzzle={challenge} x={x} />
      <PuzzleSlider x={x} busy={busy || !challenge} onMove={setX} onConfirm={confirm} />
      <CaptchaStatus message={message} failed={failed} />
      <div className="puzzle-acts">
        <Button icon={<ReloadOutlined />} onClick={() => renew()} loading={busy && !challenge}>
          {t("captcha.renew")}
        </Button>
        <Button type="link" onClick={onOther}>
          {t("captcha.other")}
        </Button>
      </div>
    </div>
  );
}

function Picture({ puzzle, x }: { puzzle: Puzzle | null; x: number }) {
  const { t } = useTranslation("auth");
  return (
    <div className="puzzle-picture">
      {puzzle && (
        <>
          <img
            src={`data:image/png;base64,${puzzle.originalImageBase64}`}
            alt={t("captcha.picture")}
            draggable={false}
          />
          <img
            className="puzzle-piece"
            style={{ left: `${(x / pictureWidth) * 100}%`, width: `${(pieceWidth / pictureWidth) * 100}%` }}
            src={`data:image/png;base64,${puzzle.jigsawImageBase64}`}
            alt=""
            draggable={false}
          />
        </>
      )}
    </div>
  );
}
