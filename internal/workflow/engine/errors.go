package engine

import (
	"fmt"

	"viva/internal/kernel/errs"
)

// The refusals of the core. The approval layer answers its own codes where the
// contract has one.
var (
	ErrStarted     = errs.Define(1009020001, errs.Conflict, "流程实例 {} 已经启动", "Process instance {} was already started")
	ErrEnded       = errs.Define(1009020002, errs.Conflict, "流程实例 {} 已结束，不能再操作", "Process instance {} has ended; nothing more can be done to it")
	ErrSuspended   = errs.Define(1009020003, errs.Conflict, "流程实例 {} 已挂起，请先恢复", "Process instance {} is suspended; resume it first")
	ErrNotPaused   = errs.Define(1009020004, errs.Conflict, "流程实例 {} 没有挂起", "Process instance {} is not suspended")
	ErrNoTask      = errs.Define(1009020005, errs.NotFound, "任务 {} 不存在或已办结", "Task {} does not exist or is done")
	ErrTaskBusy    = errs.Define(1009020006, errs.Conflict, "任务 {} 还有未完成的加签任务", "Task {} still waits for added signers")
	ErrNoToken     = errs.Define(1009020007, errs.NotFound, "执行 {} 不存在或已离开", "Token {} does not exist any more")
	ErrNoElement   = errs.Define(1009020008, errs.Invalid, "流程定义中没有节点 {}", "The process definition has no element {}")
	ErrNotThere    = errs.Define(1009020009, errs.Conflict, "执行 {} 当前不能进行此操作：{}", "Token {} cannot do this now: {}")
	ErrNoWait      = errs.Define(1009020010, errs.NotFound, "等待项 {} 不存在或已触发", "Subscription {} does not exist or was triggered already")
	ErrNoJob       = errs.Define(1009020011, errs.NotFound, "作业 {} 不存在或已执行", "Job {} does not exist or was executed already")
	ErrNoIncident  = errs.Define(1009020012, errs.NotFound, "异常 {} 不存在或已处理", "Incident {} does not exist or is resolved")
	ErrNoStart     = errs.Define(1009020013, errs.Invalid, "流程没有可用的开始事件 {}", "The process has no start event {}")
	ErrTooLong     = errs.Define(1009020014, errs.Limit, "一次操作经过的节点超过 {} 个，请检查流程是否存在死循环", "More than {} nodes were visited in one step; look for an endless loop in the process")
	ErrTooWide     = errs.Define(1009020015, errs.Limit, "流程实例的并行执行超过 {} 个", "The instance has more than {} parallel tokens")
	ErrTooDeep     = errs.Define(1009020016, errs.Limit, "调用活动嵌套超过 {} 层，请检查流程是否互相调用", "Call activities are nested more than {} deep; look for processes that call each other")
	ErrMove        = errs.Define(1009020017, errs.Conflict, "不能移动到节点 {}：{}", "Cannot move to element {}: {}")
	ErrMigrate     = errs.Define(1009020018, errs.Conflict, "不能迁移，节点 {}：{}", "Cannot migrate, element {}: {}")
	ErrListener    = errs.Define(1009020019, errs.Internal, "节点 {} 的监听器执行失败：{}", "A listener of element {} failed: {}")
	ErrHandler     = errs.Define(1009020020, errs.Internal, "节点 {} 的处理程序执行失败：{}", "The handler of element {} failed: {}")
	ErrBadVariable = errs.Define(1009020021, errs.Invalid, "变量无法保存：{}", "A variable cannot be stored: {}")
)

// stall stops a token with an incident; the command goes on.
type stall struct {
	kind    IncidentKind
	message string
	detail  string
}

// Error implements error.
func (s *stall) Error() string { return fmt.Sprintf("%s: %s", s.kind, s.message) }
