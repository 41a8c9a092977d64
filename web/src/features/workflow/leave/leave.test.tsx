import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { describeListPages } from "@/testing/listPages";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import LeaveCreate from "./LeaveCreate";
import LeaveDetail from "./LeaveDetail";
import LeavePage from "./LeavePage";
import { daysBetween } from "./leave";

vi.setConfig({ testTimeout: 60_000 });

const start = new Date(2026, 2, 2, 8, 0).getTime();
const row = {
  id: 5,
  type: 2,
  reason: "参加会议",
  startTime: start,
  endTime: start + 3 * 24 * 3_600_000,
  day: 3,
  status: 1,
  createTime: start,
  processInstanceId: "i5",
};

let asked: string[];
let sent: unknown[];

beforeEach(() => {
  asked = [];
  sent = [];
  signInAs();
  fillDicts({
    bpm_oa_leave_type: { 1: "病假", 2: "事假" },
    bpm_process_instance_status: { 1: "审批中", 2: "审批通过" },
  });
  server.use(
    http.get(api("/bpm/process-definition/list"), () => ok([{ id: "oa_leave:1:x", key: "oa_leave" }])),
    http.get(api("/bpm/process-instance/get-approval-detail"), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("processVariablesStr") ?? "");
      const head = { id: "a", name: "负责人审批", nodeType: 11, candidateStrategy: 21, candidateUsers: [] };
      return ok({ activityNodes: [head], formFieldsPermission: {} });
    }),
    http.get(api("/bpm/oa/leave/get"), () => ok(row)),
    http.post(api("/bpm/oa/leave/create"), async ({ request }) => {
      sent.push(await request.json());
      return ok(5);
    }),
  );
});

describeListPages([
  {
    name: "my leave",
    Page: LeavePage,
    path: "/bpm/oa/leave/page",
    row,
    shows: "参加会议",
    query: "bpm:oa-leave:query",
    buttons: ["申请请假", "审批进度 事假 2026-03-02"],
    forbidden: "您没有查看请假申请的权限",
    empty: "您还没有请过假",
  },
]);

test("days are full ones, as the server counts them", () => {
  expect(daysBetween(start, start + 24 * 3_600_000 - 1)).toBe(0);
  expect(daysBetween(start, start + 3 * 24 * 3_600_000)).toBe(3);
});

/** Types into a date box and takes it with Enter. */
function typeTime(label: RegExp, text: string): void {
  const box = screen.getByLabelText(label);
  fireEvent.mouseDown(box);
  fireEvent.focus(box);
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
}

describe("an application", () => {
  const open = async (address = "/") => {
    const view = renderPage(<LeaveCreate />, address);
    await screen.findByLabelText(/请假事由/);
    return view;
  };
  const submit = () => fireEvent.click(screen.getByRole("button", { name: "提交请假申请" }));

  test("counts the days, foresees the path with them and opens the instance", async () => {
    const { router } = await open();
    submit();
    await screen.findByText("请选择请假类型");
    fireEvent.mouseDown(screen.getByLabelText(/请假类型/));
    fireEvent.click(await screen.findByText("事假", { selector: ".ant-select-item-option-content" }));
    typeTime(/开始时间/, "2026-03-02 08:00");
    typeTime(/结束时间/, "2026-03-06 09:00");
    await screen.findByText("共 4 天");
    await waitFor(() => expect(asked.at(-1)).toBe('{"day":4,"type":2}'));
    fireEvent.change(screen.getByLabelText(/请假事由/), { target: { value: " 参加会议 " } });
    submit();
    await waitFor(() => expect(router.state.location.search).toBe("?id=i5"));
    expect(sent).toEqual([
      {
        type: 2,
        reason: "参加会议",
        startTime: start,
        endTime: new Date(2026, 2, 6, 9, 0).getTime(),
        startUserSelectAssignees: {},
      },
    ]);
  });

  test("an end before its start is refused beside the field", async () => {
    await open();
    typeTime(/开始时间/, "2026-03-06 09:00");
    typeTime(/结束时间/, "2026-03-02 08:00");
    submit();
    await screen.findByText("结束时间不能早于开始时间");
    expect(sent).toEqual([]);
  });

  test("begins with an earlier one; what the server refuses lands on its field", async () => {
    server.use(
      http.post(api("/bpm/oa/leave/create"), () =>
        failure(400, "请求参数不正确", { fields: [{ name: "endTime", msg: "不能晚于毕业日期" }] }),
      ),
    );
    await open("/?from=5");
    expect(screen.getByLabelText(/请假事由/)).toHaveProperty("value", "参加会议");
    screen.getByText("共 3 天");
    submit();
    await screen.findByText("不能晚于毕业日期");
    expect(screen.getByLabelText(/请假事由/)).toHaveProperty("value", "参加会议");
  });

  test("without a published process there is nothing to fill in", async () => {
    server.use(http.get(api("/bpm/process-definition/list"), () => ok([])));
    renderPage(<LeaveCreate />);
    await screen.findByText("请假流程还没有发布，暂时不能申请");
  });
});

test("the detail shows the application and leads to its progress", async () => {
  renderPage(<LeaveDetail />, "/?id=5");
  await screen.findByText("参加会议");
  screen.getByText("共 3 天");
  expect(screen.getByRole("link", { name: "审批进度" }).getAttribute("href")).toBe(
    "/bpm/process-instance/detail?id=i5",
  );
});

test("a foreign application is not shown", async () => {
  server.use(
    http.get(api("/bpm/oa/leave/get"), () => failure(1009001001, "请假申请不存在或无权查看，请刷新")),
  );
  renderPage(<LeaveDetail />, "/?id=6");
  await screen.findByText("请假申请不存在或无权查看，请刷新");
});
